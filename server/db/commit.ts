import { sql } from "kysely";
import type { Tx } from "./handles.ts";

/**
 * The transaction's end is not waited for until it is on the disk. Only for a slice of a longer work that writes how far it has come with
 * what it did: a crash of the database may lose both together, then the work goes on from there. Whoever commits after it and waits, as
 * every send and the work's last slice do, has it on the disk as well.
 */
export const commitLater = (tx: Tx) => sql`select set_config('synchronous_commit', 'off', true)`.execute(tx);

/** The transaction's end is waited for after all. */
export const commitNow = (tx: Tx) => sql`select set_config('synchronous_commit', null, true)`.execute(tx);
