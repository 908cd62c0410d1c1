import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Caller, Deps } from "./deps.ts";
import { sql } from "kysely";
import { deleteInBatches, lostRace, type DbOrTx, type Tx } from "../db/index.ts";
import { refuse, refuseInput } from "./problem.ts";

const KEY = /^[\x21-\x7e]{1,255}$/;
const RETENTION_DAYS = 7;

/** Returns the request's Idempotency-Key, or null. @throws ProblemError 422 when it is malformed */
export function readRequestKey(request: FastifyRequest): string | null {
  const given = request.headers["idempotency-key"];
  if (given === undefined) return null;
  if (typeof given === "string" && KEY.test(given)) return given;
  throw refuseInput("Idempotency-Key", "bad_request_key");
}

/** A request with an idempotency key: owner, key, fingerprint and time. */
export type KeyedRequest = { ownerId: string; key: string | null; fingerprint: string; at: string };

export const fingerprintOf = (...parts: readonly (string | Uint8Array)[]): string =>
  parts.reduce((hash, part) => hash.update(part).update("\0"), createHash("sha256")).digest("base64url");

/** Returns the keyed request of a caller. `parts` identify its content, which a repeat must match. */
export const keyedRequestOf = (
  { clock }: Pick<Deps, "clock">,
  caller: Pick<Caller, "id">,
  request: FastifyRequest,
  ...parts: readonly (string | Uint8Array)[]
): KeyedRequest => ({
  ownerId: caller.id,
  key: readRequestKey(request),
  fingerprint: fingerprintOf(...parts),
  at: clock.iso(),
});

/**
 * Runs work once per key. A repeated request gets the first response, also while another process still runs the first. Work and response
 * are written in one transaction.
 * @throws ProblemError 422 when the key was used for something else
 */
export async function withIdempotencyKey<Answer extends object>(
  tx: Tx,
  request: KeyedRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { ownerId, key, fingerprint, at } = request;
  if (key === null) return work();
  const taken = await tx
    .insertInto("request_keys")
    .values({ owner_id: ownerId, key, fingerprint, answer: null, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning("key")
    .executeTakeFirst();
  if (taken === undefined) return firstAnswer<Answer>(tx, request);
  const answer = await work();
  await tx
    .updateTable("request_keys")
    .set({ answer: JSON.stringify(answer) })
    .where("owner_id", "=", ownerId)
    .where("key", "=", key)
    .execute();
  return answer;
}

/** Returns a 422: the key was used for another request. */
export const keyReused = () => refuse(422, "key_reused");

/** Returns the stored response of a key, or null for a new key. @throws ProblemError 422 when it was used for something else */
export async function storedResponse<Answer>(
  db: DbOrTx,
  request: { ownerId: string; key: string | null; fingerprint: string },
): Promise<Answer | null> {
  if (request.key === null) return null;
  const row = await db
    .selectFrom("request_keys")
    .select(["fingerprint", "answer"])
    .where("owner_id", "=", request.ownerId)
    .where("key", "=", request.key)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.fingerprint !== request.fingerprint) {
    throw keyReused();
  }
  return row.answer as Answer;
}

async function firstAnswer<Answer>(
  tx: Tx,
  request: { ownerId: string; key: string | null; fingerprint: string },
): Promise<Answer> {
  const answer = await storedResponse<Answer>(tx, request);
  // The key was freed since the insert found it.
  if (answer === null) throw lostRace("A request key has no stored response.");
  return answer;
}

/** Deletes a key whose work `id` was undone, so that a retry runs it again. A retry may already use the key for other work. */
export async function releaseRequestKey(
  db: DbOrTx,
  { ownerId, key }: Pick<KeyedRequest, "ownerId" | "key">,
  id: string,
): Promise<void> {
  if (key === null) return;
  await sql`delete from request_keys where owner_id = ${ownerId}::uuid and key = ${key} and answer ->> 'id' = ${id}`.execute(
    db,
  );
}

/** Deletes keys older than a week. */
export async function forgetRequestKeys({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now() - RETENTION_DAYS * 86_400_000).toISOString();
  await deleteInBatches(db, "request_keys", sql`at < ${before}::timestamptz`);
}
