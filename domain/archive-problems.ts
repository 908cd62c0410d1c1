import { msg, plural } from "@lingui/core/runtime-macro";
import { type FieldProblem, fieldClause } from "./field-problems.ts";
import { type RowProblem, rowText } from "./row-problems.ts";
import type { UiText } from "./ui-text.ts";

type Path = { path: string };
type Limit = { limit: number };

/** Why the database refused a row. */
const MISFITS = {
  names_missing: () => msg`A row refers to something that is not in the archive.`,
  twice: () => msg`Two rows describe the same thing.`,
  impossible: () => msg`A row contains an invalid value.`,
  value_missing: () => msg`A row is missing a required value.`,
};

/** What can be wrong with an archive's zip file. */
const BROKEN = {
  no_zip: () => msg`This is not a zip file, or it is incomplete. Download the export again.`,
  split: () => msg`The zip file is split into several files. Combine them into one.`,
  outside: () => msg`A file in it has a path outside the archive.`,
  encrypted: () => msg`The zip file is encrypted. Use the export as it was downloaded.`,
  compression: () => msg`The zip file uses an unsupported compression method. Use the export as it was downloaded.`,
  damaged: () => msg`The zip file is damaged. Download the export again.`,
  file_damaged: ({ path }: Path) => msg`${{ path }} is damaged. Download the export again.`,
  too_many_files: ({ limit }: Limit) =>
    msg`It contains more than ${plural({ limit }, { one: "# file", other: "# files" })}.`,
  file_twice: ({ path }: Path) => msg`It contains ${{ path }} twice.`,
  too_large: () => msg`Unpacked, it would be larger than any account can be.`,
  bomb: ({ path, times }: Path & { times: number }) =>
    msg`Unpacked, ${{ path }} would be more than ${plural({ times }, { one: "# time", other: "# times" })} as large. No export is like that.`,
  file_too_large: ({ path }: Path) => msg`${{ path }} is too large.`,
  no_json: ({ path }: Path) => msg`${{ path }} is not valid JSON.`,
  manifest_incomplete: ({ path, place }: Path & { place: string }) =>
    msg`${{ path }} has a missing or invalid value: ${{ place }}.`,
  listed_twice: ({ path }: Path) => msg`${{ path }} lists a file twice.`,
  not_listed: ({ path }: Path) => msg`manifest.json does not list ${{ path }}.`,
  no_file_of_export: ({ path }: Path) => msg`${{ path }} is not part of an export.`,
  file_missing: ({ path }: Path) => msg`${{ path }} is missing.`,
  other_size: ({ path, bytes, listed }: Path & { bytes: number; listed: number }) =>
    msg`${{ path }} has ${plural({ bytes }, { one: "{bytes} byte", other: "{bytes} bytes" })}, but manifest.json says ${{ listed }}.`,
  media_too_large: ({ path }: Path) => msg`${{ path }} is larger than 10 MB.`,
  rows_missing: ({ path }: Path) => msg`manifest.json does not say how many rows ${{ path }} has.`,
  file_unlisted: ({ path }: Path) => msg`It contains ${{ path }}, but manifest.json does not list it.`,
  not_utf8: ({ path }: Path) => msg`${{ path }} is not valid UTF-8.`,
  other_rows: ({ path, rows, listed }: Path & { rows: number; listed: number }) =>
    msg`${{ path }} has ${plural({ rows }, { one: "{rows} row", other: "{rows} rows" })}, but manifest.json says ${{ listed }}.`,
  no_media: ({ path }: Path) => msg`${{ path }} is neither a picture nor a video.`,
  other_media: ({ path }: Path) => msg`${{ path }} is not the file that media.csv describes.`,
  media_unlisted: () => msg`There are files under media/ that media.csv does not list.`,
  field: ({ path, field, code, params }: Path & FieldProblem) =>
    msg`${{ path }}: ${{ field }}: ${{ problem: fieldClause(code, params) }}`,
  row: ({ path, row, problem }: Path & { row: number; problem: RowProblem }) =>
    msg`${{ path }}, row ${{ row }}: ${{ problem: rowText(problem) }}`,
  row_refused: ({ path, problem, constraint }: Path & { problem: keyof typeof MISFITS; constraint: string }) =>
    msg`${{ path }}: ${{ problem: MISFITS[problem]() }} (${{ constraint }}) Nothing was imported.`,
};

const UNKNOWN = {
  no_manifest: () => msg`It contains no manifest.json. Use a file from “Download everything (zip)”.`,
  other_program: () => msg`This export is from another program. Use a file from “Download everything (zip)”.`,
};

export type ArchiveBroken = typeof BROKEN;

/** Why an archive cannot be imported, by code. */
export const ARCHIVE_PROBLEMS = {
  archive_broken: ({ reason, ...params }: { reason: keyof typeof BROKEN } & Record<string, unknown>) =>
    (BROKEN[reason] as (params: object) => UiText)(params),
  archive_changed: ({ path }: Path) =>
    msg`${{ path }} has changed since the export: its checksum does not match. Download the export again.`,
  archive_newer: ({ version, known }: { version: number; known: number }) =>
    msg`The archive has format ${{ version }}, but this version of Leadloom reads up to ${{ known }}. Upgrade Leadloom first.`,
  archive_unknown: ({ reason }: { reason: keyof typeof UNKNOWN }) => UNKNOWN[reason](),
} as const satisfies Record<string, (params: never) => UiText>;
