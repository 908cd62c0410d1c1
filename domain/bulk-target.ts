import * as v from "valibot";

/**
 * The recipients of a bulk message: the leads of a stage (an empty id: of every stage), the leads that match the list's filters,
 * or the leads ticked in the list, by the name under which the browser stores their ids.
 */
export const BulkTarget = v.variant("kind", [
  v.object({ kind: v.literal("stage"), stageId: v.string() }),
  v.object({ kind: v.literal("query"), query: v.string() }),
  v.object({ kind: v.literal("leads"), name: v.string() }),
]);
export type BulkTarget = v.InferOutput<typeof BulkTarget>;

export const EVERY_STAGE: BulkTarget = { kind: "stage", stageId: "" };

/** Parses the target from an address's `leads` or `to`; null if there is none. */
export function bulkTargetOf(search: string): BulkTarget | null {
  const address = new URLSearchParams(search);
  const name = address.get("leads");
  if (name !== null && name !== "") return { kind: "leads", name };
  const query = address.get("to");
  if (query === null) return null;
  return query === "" ? EVERY_STAGE : { kind: "query", query };
}

/** Returns a string that is equal only for equal targets. */
export const bulkTargetKey = (target: BulkTarget): string =>
  `${target.kind} ${target.kind === "stage" ? target.stageId : target.kind === "query" ? target.query : target.name}`;
