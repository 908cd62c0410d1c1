import { createHash } from "node:crypto";
import { UUID } from "./cells.ts";

/**
 * Creates a function that maps each id of an archive to a new one. If ids were kept, conflicts would reveal which of them exist in this
 * installation.
 * @param salt random for each import
 */
export function createIdMap(salt: string): (id: string) => string {
  return (id) => {
    const bytes = createHash("sha256").update(salt).update(id).digest().subarray(0, 16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = bytes.toString("hex");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  };
}

const NAMES_ID = /^(?:id|from|to|\w+_id)$/;

/** Maps the ids within JSON: strings that are UUIDs under a key such as `id` or `stage_id`. */
export function mapWithin(value: unknown, mapped: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => mapWithin(each, mapped));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typeof each === "string" && NAMES_ID.test(key) && UUID.test(each) ? mapped(each) : mapWithin(each, mapped),
    ]),
  );
}

const OWN_FIELD = /^field\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;
/** Maps a view's column: the column of a custom field contains the field's id. */
export const mapColumn = (column: unknown, mapped: (id: string) => string): unknown =>
  typeof column === "string" ? column.replace(OWN_FIELD, (_, id: string) => `field.${mapped(id)}`) : column;

const IN_QUERY =
  /(?<=(?:^|&)(?:stage_id=|tag=|sort=-?field\.|field\.))[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Maps the ids in the filters and sort order of a list, written as a query string. */
export const mapQuery = (query: string, mapped: (id: string) => string): string => query.replace(IN_QUERY, mapped);
