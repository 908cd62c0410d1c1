import { msg } from "@lingui/core/runtime-macro";
import { assign, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { createLeadFilesGateway } from "../../services/lead-files.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { fetching } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { type FailureText, failed, problemOf, readFailure, writing } from "../kit/writing.ts";
import { type CsvPreview, UnreadableFile, readPreview } from "./csv-preview.ts";

type ImportService = Pick<ReturnType<typeof createLeadFilesGateway>, "importFile">;

export type LeadImportParts = {
  /** Called when leads have changed, or may have. */
  onImported: () => void;
  leads?: ImportService;
};

type ImportRequest = Parameters<ImportService["importFile"]>[0];
export type ImportResult = Awaited<ReturnType<ImportService["importFile"]>>;
/** Maps the file's columns to fields, by header. */
type Mapping = ImportRequest["mapping"];

const NOT_READ = msg`The file could not be read. Choose a CSV file whose first row names the columns.`;
const NOT_TRIED = readFailure(msg`The file could not be checked. Nothing was changed.`);
const IMPORT_FAILED: FailureText = {
  refused: msg`The file was not imported. Nothing was changed.`,
  unknown: msg`The file may have been imported. Check it again to see what is left to change.`,
};

type LeadImportContext = {
  file: File | null;
  fields: Readonly<Record<string, string>>;
  preview: CsvPreview | null;
  mapping: Mapping;
  result: ImportResult | null;
  problem: UiTextOrString | null;
};

const requestOf = ({ file, mapping }: LeadImportContext, isDryRun: boolean): ImportRequest => {
  if (file === null) throw new Error("no file was chosen");
  return { file, mapping, isDryRun };
};

/** Maps the headers of an export; notes and tags keep their names too. */
function guessOf({ header }: CsvPreview, fields: Readonly<Record<string, string>>): Mapping {
  const known: Readonly<Record<string, string>> = {
    telegram_user_id: "telegram_user_id",
    username: "username",
    notes: "notes",
    tags: "tags",
  };
  const pairs = header.flatMap((name) => {
    const target = known[name.toLowerCase()] ?? fields[name];
    return target === undefined ? [] : [[name, target] as const];
  });
  const hasId = pairs.some(([, target]) => target === "telegram_user_id");
  // Leads are identified by id or username, not both.
  return Object.fromEntries(pairs.filter(([, target]) => !(hasId && target === "username")));
}

/** Each column has one target, and each target one column. */
function withTarget(mapping: Mapping, header: string, target: string): Mapping {
  const others = Object.entries(mapping).filter(([name, taken]) => name !== header && taken !== target);
  return Object.fromEntries(target === "" ? others : [...others, [header, target]]);
}

/** Choosing another file, in every idle state. */
const choosing = {
  "file.choose": [
    { guard: withEvent("hasFile"), target: "#leadImport.readingHead", actions: withEvent("storeFile") },
    { target: "#leadImport.awaitingFile", actions: withEvent("storeFile") },
  ],
} as const;

/** Imports a CSV file: the user maps its columns and sees a dry run of the changes before anything is written. */
export const createLeadImport = (
  page: Page,
  { onImported, leads = createLeadFilesGateway(page.http) }: LeadImportParts,
) =>
  setup({
    types: {
      context: {} as LeadImportContext,
      events: {} as
        | { type: "file.choose"; file: File | null; fields: Readonly<Record<string, string>> }
        | { type: "mapping.change"; header: string; target: string }
        | { type: "import.try" }
        | { type: "import.run" },
    },
    actors: {
      readHead: fetching(({ file }: { file: File }) => readPreview(file)),
      tryImport: fetching(leads.importFile),
      runImport: writing(page, leads.importFile, { done: msg`The file was imported.`, failed: IMPORT_FAILED }),
    },
    actions: {
      storeFile: assign((_, { file, fields }: { file: File | null; fields: Readonly<Record<string, string>> }) => ({
        file,
        fields,
        preview: null,
        mapping: {},
        result: null,
        problem: null,
      })),
      storePreview: assign(({ context }, preview: CsvPreview) => ({
        preview,
        mapping: guessOf(preview, context.fields),
      })),
      storeTarget: assign(({ context }, { header, target }: { header: string; target: string }) => ({
        mapping: withTarget(context.mapping, header, target),
        result: null,
        problem: null,
      })),
      storeResult: assign((_, result: ImportResult) => ({ result, problem: null })),
      storeProblem: assign(problemOf),
      storeUnreadable: assign((_, { error }: { error: unknown }) => ({
        problem: error instanceof UnreadableFile ? error.problem : NOT_READ,
      })),
      forgetResult: assign({ result: null }),
      reportChange: onImported,
      reportFailure: createReporter(page.logger),
    },
    guards: {
      hasFile: (_, { file }: { file: File | null }) => file !== null,
      canFind: ({ context }) =>
        Object.values(context.mapping).some((target) => target === "telegram_user_id" || target === "username"),
      changesSomething: ({ context }) => (context.result?.changed ?? 0) > 0,
    },
  }).createMachine({
    id: "leadImport",
    context: { file: null, fields: {}, preview: null, mapping: {}, result: null, problem: null },
    initial: "awaitingFile",
    states: {
      awaitingFile: { on: choosing },
      readingHead: {
        invoke: {
          id: "readHead",
          src: "readHead",
          input: ({ context }) => ({ file: requestOf(context, true).file }),
          onDone: {
            target: "awaitingMapping",
            actions: withOutput("storePreview"),
          },
          onError: {
            target: "awaitingFile",
            actions: [withEvent("storeUnreadable"), reportFailure("a file was not read")],
          },
        },
      },
      awaitingMapping: {
        on: {
          ...choosing,
          "mapping.change": { actions: withEvent("storeTarget") },
          "import.try": { guard: "canFind", target: "trying" },
        },
      },
      trying: {
        invoke: {
          id: "tryImport",
          src: "tryImport",
          input: ({ context }) => requestOf(context, true),
          onDone: { target: "tried", actions: withOutput("storeResult") },
          onError: { target: "awaitingMapping", actions: failed(NOT_TRIED, "an import was not tried") },
        },
      },
      tried: {
        on: {
          ...choosing,
          "mapping.change": { target: "awaitingMapping", actions: withEvent("storeTarget") },
          "import.run": { guard: "changesSomething", target: "importing" },
        },
      },
      importing: {
        invoke: {
          id: "runImport",
          src: "runImport",
          input: ({ context }) => requestOf(context, false),
          onDone: { target: "imported", actions: [withOutput("storeResult"), "reportChange"] },
          onError: {
            target: "awaitingMapping",
            actions: ["forgetResult", ...failed(IMPORT_FAILED, "a file was not imported"), "reportChange"],
          },
        },
      },
      imported: { on: choosing },
    },
  });

export const LeadImport = createChart<typeof createLeadImport>("leadImport");
