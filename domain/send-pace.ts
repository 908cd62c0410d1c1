/** Between two sends of an account, whatever their kinds, in milliseconds; a bulk job brings its own throttle. */
export const GAP_MS = { reply: 300, manual: 300, followup: 1_000, reminder: 1_000, bulk: 1_000 } as const;
/** The gap after a send is longer by up to this part of it, evenly spread. */
export const JITTER = 0.2;
/** Committing the claim takes a few milliseconds; it may begin that much before the call is due. */
export const CLAIM_LEAD_MS = 5;
/** The queue's order among what is due. What may have been delivered already is asked for first, beside replies. */
export const PRIORITY = { reply: 0, manual: 1, followup: 2, reminder: 3, bulk: 4 } as const;
