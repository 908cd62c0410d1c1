import type { SafeStorage } from "./storage.ts";

/** Whose it is, and under which keys it lies. */
const OWNER = "leadloom.typed_by";
const KEPT = ["leadloom_drafts", "leadloom.notes.", "leadloom.bulk_", "leadloom.request_keys"];
/** Begins the keys of what somebody types who is not signed in. */
export const VISITOR_PREFIX = "leadloom.visitor_";

/** What was typed in this tab and not sent, whichever screen keeps it: it lies there for one person alone. */
export const createTyped = (storage: SafeStorage) => {
  const clear = () => {
    for (const prefix of [...KEPT, OWNER]) storage.removeAll(prefix);
  };
  return {
    /** From now on it is this user's; what another one left is forgotten, and what was typed before anybody was signed in. */
    belongTo(userId: string) {
      storage.removeAll(VISITOR_PREFIX);
      const owner = storage.get(OWNER);
      if (owner === userId) return;
      if (owner !== null) clear();
      storage.set(OWNER, userId);
    },
    /** Forgets all of it. */
    clear,
  };
};
