import * as v from "valibot";

/** The answer of a call that has nothing else to say. */
export const Done = v.object({ success: v.literal(true) });

/** What was deleted is gone; `leads` are those that it was taken from. */
export const Removed = v.object({ success: v.literal(true), leads: v.optional(v.number()) });
