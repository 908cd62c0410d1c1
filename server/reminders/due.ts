import { sql } from "kysely";

/**
 * When lead `l` becomes due by rule `r`. Leads who were stuck before the rule counted are due when it began to, imported leads when they
 * were imported.
 */
export const dueAt = sql<string>`greatest(l.stage_entered_at + r.delay_days * interval '1 day', r.enabled_at, l.imported_at)`;
