/** Gap between two sends of an account, of any kind, in milliseconds; a bulk job has its own throttle. */
export const GAP_MS = { reply: 300, manual: 300, followup: 1_000, reminder: 1_000, bulk: 1_000 } as const;
/** The gap is extended randomly by up to this share of it. */
export const JITTER = 0.2;
/** Committing the claim takes a few milliseconds, so it may start that much before the send is due. */
export const CLAIM_LEAD_MS = 5;
/** The queue's order among due messages. Possibly delivered ones are retried first, together with replies. */
export const PRIORITY = { reply: 0, manual: 1, followup: 2, reminder: 3, bulk: 4 } as const;
