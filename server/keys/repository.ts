import { hash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { KEY_PREFIX, KEYS_MAX, type ApiKey, type ApiKeyCreate, type NewApiKey } from "../../domain/api-key.ts";
import { audit } from "../core/audit.ts";
import type { CallingKey, Deps } from "../core/deps.ts";
import { notFound, refuse } from "../core/problem.ts";
import { withIdempotencyKey, type KeyedRequest } from "../core/request-keys.ts";
import type { Db, DbOrTx, Tx } from "../db/index.ts";

type KeyDeps = Pick<Deps, "db" | "bus" | "clock">;

const SECRET_BYTES = 32;
const HINT_CHARS = 4;
const shown = ["id", "name", "scopes", "hint", "created_at", "last_used_at"] as const;

/** The stored form of a key. Its secret is random, so a plain hash is safe. */
export const hashOf = (secret: string): string => hash("sha256", secret, "base64url");

/** Lists an owner's keys, oldest first. */
export const listKeys = (db: DbOrTx, ownerId: string): Promise<ApiKey[]> =>
  db.selectFrom("api_keys").select(shown).where("owner_id", "=", ownerId).orderBy("created_at").orderBy("id").execute();

/**
 * Creates a key. Only this response contains its secret, so a repeat of the request returns the same key with a new secret.
 * @throws ProblemError 409 when the owner has the maximum number of keys, 404 for a repeat after the key was revoked
 */
export function createKey(deps: KeyDeps, form: ApiKeyCreate, request: KeyedRequest): Promise<NewApiKey> {
  const { ownerId } = request;
  const secret = KEY_PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
  const stored = { hash: hashOf(secret), hint: secret.slice(-HINT_CHARS) };
  return deps.db.transaction().execute(async (tx) => {
    const { id } = await withIdempotencyKey(tx, request, () => insertKey(tx, form, { ...request, ...stored }));
    const key = await tx
      .updateTable("api_keys")
      .set(stored)
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .returning(shown)
      .executeTakeFirst();
    if (key === undefined) throw notFound();
    // After a repeat every process must drop the first secret.
    await deps.bus.publish("key.revoked", { key_id: id }, tx);
    return { ...key, secret };
  });
}

async function insertKey(
  tx: Tx,
  { name, scopes }: ApiKeyCreate,
  { ownerId, at, hash, hint }: { ownerId: string; at: string; hash: string; hint: string },
): Promise<{ id: string }> {
  await sql`select pg_advisory_xact_lock(hashtext('api_keys'), hashtext(${ownerId}))`.execute(tx);
  if ((await listKeys(tx, ownerId)).length >= KEYS_MAX) throw refuse(409, "too_many_keys", { limit: KEYS_MAX });
  const key = await tx
    .insertInto("api_keys")
    .values({ owner_id: ownerId, name, scopes, hash, hint, created_at: at, last_used_at: null })
    .returning("id")
    .executeTakeFirstOrThrow();
  await audit(tx, { userId: ownerId, action: "key_created", at, detail: { key_id: key.id, scopes } });
  return key;
}

/** Revokes a key in every process. @throws ProblemError 404 */
export async function revokeKey(deps: KeyDeps, ownerId: string, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("api_keys")
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound();
    await audit(tx, { userId: ownerId, action: "key_revoked", at: deps.clock.iso(), detail: { key_id: id } });
    await deps.bus.publish("key.revoked", { key_id: id }, tx);
  });
}

/** Returns the key with this hash and its owner; null if unknown or if the account is closed. */
export async function findKey(db: Db, keyHash: string): Promise<{ ownerId: string; key: CallingKey } | null> {
  const row = await db
    .selectFrom("api_keys as k")
    .select(["k.id", "k.owner_id", "k.name", "k.scopes"])
    .where("k.hash", "=", keyHash)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("account_erasures as e").select("e.user_id").whereRef("e.user_id", "=", "k.owner_id"))),
    )
    .executeTakeFirst();
  if (row === undefined) return null;
  const { owner_id: ownerId, ...key } = row;
  return { ownerId, key };
}

/** Records that a key was used, unless any process recorded a use within `everyMs`. */
export async function recordKeyUse({ db, clock }: KeyDeps, id: string, everyMs: number): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ last_used_at: clock.iso() })
    .where("id", "=", id)
    .where(({ or, eb }) =>
      or([eb("last_used_at", "is", null), eb("last_used_at", "<=", new Date(clock.now() - everyMs).toISOString())]),
    )
    .execute();
}
