import * as v from "valibot";
import { reasonEntries } from "./schema-parts.ts";

/** The head of a manifest: its format and version. */
export const ARCHIVE_FORMAT = "leadloom-archive";
export const ARCHIVE_VERSION = 1;
export const MANIFEST_FILE = "manifest.json";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A file of an archive. `bytes` is its unpacked size; `rows` does not count a table's header. */
export const ArchiveFile = v.strictObject({
  path: v.pipe(v.string(), v.regex(/^(?:[a-z_]+\.(?:csv|json)|media\/[0-9a-f-]{36}\.[a-z0-9]{1,8})$/)),
  bytes: count,
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  rows: v.optional(count),
});
export type ArchiveFile = v.InferOutput<typeof ArchiveFile>;

/** `manifest.json`: when the archive was made, and its files. docs/export-format.md describes each. */
export const Manifest = v.strictObject({
  format: v.literal(ARCHIVE_FORMAT),
  version: v.literal(ARCHIVE_VERSION),
  made_at: v.pipe(v.string(), v.isoTimestamp()),
  files: v.array(ArchiveFile),
});
export type Manifest = v.InferOutput<typeof Manifest>;

/** `GET /account/export`: one JSON text, or with `format=zip` the open format. */
export const ExportQuery = v.strictObject({ format: v.optional(v.picklist(["json", "zip"]), "json") });
export type ExportQuery = v.InferOutput<typeof ExportQuery>;

const ACCOUNT_IMPORT_STATUSES = ["in_progress", "completed", "failed"] as const;

/**
 * `GET /account/import`: the progress of an import, counted in rows and files. `brought` counts the imported rows of each kind once
 * it is completed. A failed import says why, and leaves nothing behind.
 */
export const AccountImport = v.object({
  id: v.string(),
  status: v.picklist(ACCOUNT_IMPORT_STATUSES),
  total: v.number(),
  done: v.number(),
  is_removing: v.optional(v.boolean(), false),
  brought: v.optional(v.nullable(v.record(v.string(), v.number())), null),
  reason: v.optional(v.nullable(v.string()), null),
  ...reasonEntries("reason"),
  created_at: v.string(),
  finished_at: v.optional(v.nullable(v.string()), null),
});
export type AccountImport = v.InferOutput<typeof AccountImport>;
