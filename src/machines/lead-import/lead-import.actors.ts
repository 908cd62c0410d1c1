import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import { type FailureText, readFailure } from "../kit/failed.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import { type CsvPreview, previewOf, textOf } from "./csv-preview.ts";

/** Which column of the file says what, by its header. */
export type Mapping = Readonly<Record<string, string>>;
export type ImportRequest = { file: File; mapping: Mapping; isDryRun: boolean };
export type ImportResult = {
  matched: number;
  changed: number;
  unmatched: readonly { row: number; words: string }[];
  unmatchedTotal: number;
  changes: readonly { row: number; name: string | null; target: string; before: string; after: string }[];
};

export type LeadImportDeps = WritingDeps & {
  leads: { importFile(request: ImportRequest): Promise<ImportResult> };
  onImported: () => void;
};

export const NOT_READ = readFailure("The file could not be read. Choose a CSV file whose first row names the columns.");
export const NOT_TRIED = readFailure("The file could not be checked. Nothing was changed.");
export const IMPORT_FAILED: FailureText = {
  refused: "The file was not imported. Nothing was changed.",
  unknown: "The file may have been imported. Check it again to see what is left to change.",
};

/** Enough of a file for its first twenty rows. */
const HEAD_BYTES = 262_144;

export const placeholderActors = {
  readHead: notProvided<CsvPreview, { file: File }>("readHead"),
  tryImport: notProvided<ImportResult, ImportRequest>("tryImport"),
  runImport: notProvided<ImportResult, ImportRequest>("runImport"),
};

export const createLeadImportActors = ({ leads, ...page }: LeadImportDeps): typeof placeholderActors => ({
  readHead: fromPromise(async ({ input }) => {
    const preview = previewOf(textOf(new Uint8Array(await input.file.slice(0, HEAD_BYTES).arrayBuffer())));
    if (preview === null) throw new Error("the file has no header");
    return preview;
  }),
  tryImport: fromPromise(({ input }) => leads.importFile(input)),
  runImport: writing(page, (input: ImportRequest) => leads.importFile(input), {
    done: "The file was imported.",
    failed: IMPORT_FAILED,
  }),
});
