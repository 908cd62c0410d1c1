import { msg, plural } from "@lingui/core/runtime-macro";
import { type FieldProblem, fieldClause } from "./field-problems.ts";
import { type RowProblem, rowText } from "./row-problems.ts";
import type { UiText } from "./ui-text.ts";

type Path = { path: string };
type Limit = { limit: number };

/** Why the database refused a row. */
const MISFITS = {
  names_missing: () => msg`A row names something that is not in the archive.`,
  twice: () => msg`Two rows stand for the same thing.`,
  impossible: () => msg`A row holds a value that cannot be.`,
  value_missing: () => msg`A row lacks a value that there must be.`,
};

/** What may be wrong with the zip file of an export. */
const BROKEN = {
  no_zip: () => msg`This is no zip file, or it is not whole. Download the export again.`,
  split: () => msg`The zip file is split into several. Put everything into one.`,
  outside: () => msg`A file in it names a place outside of the archive.`,
  encrypted: () => msg`The zip file is encrypted. Use the export as it was downloaded.`,
  compression: () => msg`The zip file is compressed in a way that cannot be read. Use the export as it was downloaded.`,
  damaged: () => msg`The zip file is damaged. Download the export again.`,
  file_damaged: ({ path }: Path) => msg`${{ path }} is damaged. Download the export again.`,
  too_many_files: ({ limit }: Limit) =>
    msg`There are more than ${plural({ limit }, { one: "# file", other: "# files" })} in it.`,
  file_twice: ({ path }: Path) => msg`${{ path }} stands in it twice.`,
  too_large: () => msg`Unpacked it would be larger than any account.`,
  bomb: ({ path, times }: Path & { times: number }) =>
    msg`${{ path }} would be more than ${plural({ times }, { one: "# time", other: "# times" })} as large unpacked, as no export is.`,
  file_too_large: ({ path }: Path) => msg`${{ path }} is too large.`,
  no_json: ({ path }: Path) => msg`${{ path }} is no JSON.`,
  manifest_incomplete: ({ path, place }: Path & { place: string }) =>
    msg`${{ path }} does not say what it must: ${{ place }}.`,
  listed_twice: ({ path }: Path) => msg`${{ path }} names a file twice.`,
  not_listed: ({ path }: Path) => msg`manifest.json does not name ${{ path }}.`,
  no_file_of_export: ({ path }: Path) => msg`${{ path }} is no file of an export.`,
  file_missing: ({ path }: Path) => msg`${{ path }} is missing in it.`,
  other_size: ({ path, bytes, listed }: Path & { bytes: number; listed: number }) =>
    msg`${{ path }} has ${plural({ bytes }, { one: "{bytes} byte", other: "{bytes} bytes" })}, and manifest.json says ${{ listed }}.`,
  media_too_large: ({ path }: Path) => msg`${{ path }} is larger than 10 MB.`,
  rows_missing: ({ path }: Path) => msg`manifest.json does not say how many rows ${{ path }} has.`,
  file_unlisted: ({ path }: Path) => msg`${{ path }} is in it, and manifest.json does not name it.`,
  not_utf8: ({ path }: Path) => msg`${{ path }} holds bytes that are no UTF-8.`,
  other_rows: ({ path, rows, listed }: Path & { rows: number; listed: number }) =>
    msg`${{ path }} has ${plural({ rows }, { one: "{rows} row", other: "{rows} rows" })}, and manifest.json says ${{ listed }}.`,
  no_media: ({ path }: Path) => msg`${{ path }} is neither a picture nor a video.`,
  other_media: ({ path }: Path) => msg`${{ path }} is another file than media.csv says.`,
  media_unlisted: () => msg`There are files under media/ that media.csv does not name.`,
  field: ({ path, field, code, params }: Path & FieldProblem) =>
    msg`${{ path }}: ${{ field }}: ${{ problem: fieldClause(code, params) }}`,
  row: ({ path, row, problem }: Path & { row: number; problem: RowProblem }) =>
    msg`${{ path }}, row ${{ row }}: ${{ problem: rowText(problem) }}`,
  row_refused: ({ path, problem, constraint }: Path & { problem: keyof typeof MISFITS; constraint: string }) =>
    msg`${{ path }}: ${{ problem: MISFITS[problem]() }} (${{ constraint }}) Nothing of it was kept.`,
};

const UNKNOWN = {
  no_manifest: () => msg`There is no manifest.json in it. Use a file from “Download everything (zip)”.`,
  other_program: () => msg`This is the export of another program. Use a file from “Download everything (zip)”.`,
};

export type ArchiveBroken = typeof BROKEN;

/** Why an export cannot be brought in, by code. */
export const ARCHIVE_PROBLEMS = {
  archive_broken: ({ reason, ...params }: { reason: keyof typeof BROKEN } & Record<string, unknown>) =>
    (BROKEN[reason] as (params: object) => UiText)(params),
  archive_changed: ({ path }: Path) =>
    msg`${{ path }} is not as it was exported: its checksum is another. Download the export again.`,
  archive_newer: ({ version, known }: { version: number; known: number }) =>
    msg`The archive is of format ${{ version }}, and this Leadloom reads up to ${{ known }}. Upgrade it first.`,
  archive_unknown: ({ reason }: { reason: keyof typeof UNKNOWN }) => UNKNOWN[reason](),
} as const satisfies Record<string, (params: never) => UiText>;
