import type { Deps } from "../core/deps.ts";
import type { DbOrTx } from "../db/index.ts";
import { readGroups, type LeadGroup } from "./waiting.ts";

/** Counting 100,000 leads costs more than all the rest of a forecast: while none of them changes, it is done once in this time. */
const KEPT_MS = 30_000;
const OWNERS_MOST = 1_000;

export type Groups = (db: DbOrTx, ownerId: string, now: number) => Promise<LeadGroup[]>;

/** Reads how many of an owner's leads stand where, anew whenever one of them has changed. */
export function createGroups({ bus }: Pick<Deps, "bus">): Groups {
  const kept = new Map<string, { at: number; groups: Promise<LeadGroup[]> }>();
  bus.on("event", ({ user_id, type }) => type === "lead.changed" && kept.delete(user_id));
  bus.on("stages.changed", ({ owner_id }) => kept.delete(owner_id));
  bus.on("clock.moved", () => kept.clear());
  bus.onGap(() => kept.clear());
  return (db, ownerId, now) => {
    const found = kept.get(ownerId);
    const time = performance.now();
    if (found !== undefined && time - found.at < KEPT_MS) return found.groups;
    const groups = readGroups(db, ownerId, now);
    if (kept.size >= OWNERS_MOST) kept.clear();
    const entry = { at: time, groups };
    kept.set(ownerId, entry);
    groups.catch(() => kept.get(ownerId) === entry && kept.delete(ownerId));
    return groups;
  };
}
