import type { FastifyRequest } from "fastify";
import { KEY_PREFIX } from "../../domain/api-key.ts";
import type { Caller, CallingKey, Deps } from "../core/deps.ts";
import type { Limiter } from "../core/limits.ts";
import { unauthorized } from "../core/problem.ts";
import { findKey, hashOf, recordKeyUse } from "./repository.ts";

/** Longest time that a revoked key stays valid if its notification is lost. */
const RECHECK_MS = 60_000;
const USE_NOTED_EVERY_MS = 60_000;
const MAX_CACHED = 10_000;
const KEY = new RegExp(`^Bearer (${KEY_PREFIX}[\\w-]{1,200})$`, "i");

type CachedKey = { ownerId: string; key: CallingKey; recheckAt: number; usedAt: number };

/** True if the header is an API key, valid or not. */
export const hasApiKey = ({ headers }: Pick<FastifyRequest, "headers">): boolean =>
  headers.authorization?.slice(0, "Bearer ".length + KEY_PREFIX.length).toLowerCase() === `bearer ${KEY_PREFIX}`;

export type KeyAuthenticator = {
  /**
   * Authenticates a caller by API key. Results are cached by hash, so that a request usually costs no query; so are wrong keys, and only
   * the first use of each counts as a guess.
   * @param ip the address that guesses are counted for
   * @throws ProblemError 401 for an unknown or revoked key, 429 after many wrong ones
   */
  authenticateKey(authorization: string | undefined, ip?: string): Promise<Caller>;
  /** The same for a request; checks its key once, however often it is called. */
  authenticateRequest(request: FastifyRequest): Promise<Caller>;
  /** Removes a key from this process's cache. */
  forget(keyId: string): void;
};

/** Creates the key authenticator. @param guesses counts wrong keys by address, like wrong passwords */
export function createKeyAuthenticator(
  deps: Pick<Deps, "db" | "bus" | "clock" | "logger">,
  guesses: Limiter,
): KeyAuthenticator {
  const cached = new Map<string, CachedKey>();
  const wrong = new Set<string>();
  let revocations = 0;

  const forgetWhere = (ended: (cached: CachedKey) => boolean) => {
    revocations += 1;
    for (const [hash, entry] of cached) if (ended(entry)) cached.delete(hash);
  };
  const forget = (keyId: string) => forgetWhere(({ key }) => key.id === keyId);
  deps.bus.on("key.revoked", ({ key_id }) => forget(key_id));
  // Closing an account revokes its keys.
  deps.bus.on("sessions.changed", ({ user_id }) => forgetWhere(({ ownerId }) => ownerId === user_id));
  // A revocation may have been missed: check each key again.
  deps.bus.onGap(() => {
    revocations += 1;
    for (const entry of cached.values()) entry.recheckAt = 0;
  });

  const refuse = async (hash: string, ip: string | undefined): Promise<never> => {
    if (!wrong.has(hash)) {
      if (ip !== undefined) await guesses.use(ip);
      if (wrong.size >= MAX_CACHED) wrong.clear();
      wrong.add(hash);
    }
    throw unauthorized();
  };

  const lookUp = async (hash: string, before: CachedKey | undefined): Promise<CachedKey | null> => {
    const seen = revocations;
    const found = await findKey(deps.db, hash);
    if (found === null) {
      cached.delete(hash);
      return null;
    }
    const entry = { ...found, recheckAt: deps.clock.now() + RECHECK_MS, usedAt: before?.usedAt ?? -Infinity };
    if (seen === revocations) {
      if (before === undefined && cached.size >= MAX_CACHED) cached.delete(cached.keys().next().value ?? "");
      cached.set(hash, entry);
    }
    return entry;
  };

  const touch = async (entry: CachedKey): Promise<void> => {
    const now = deps.clock.now();
    if (Math.abs(now - entry.usedAt) < USE_NOTED_EVERY_MS) return;
    entry.usedAt = now;
    try {
      await recordKeyUse(deps, entry.key.id, USE_NOTED_EVERY_MS);
    } catch (error) {
      // A failure to record the use must not refuse the request.
      deps.logger.warn({ err: error, key: entry.key.id }, "could not record the use of a key");
    }
  };

  const authenticateKey = async (authorization: string | undefined, ip?: string): Promise<Caller> => {
    const secret = KEY.exec(authorization ?? "")?.[1];
    if (secret === undefined) throw unauthorized();
    const hash = hashOf(secret);
    if (wrong.has(hash)) throw unauthorized();
    const before = cached.get(hash);
    const entry = before !== undefined && before.recheckAt > deps.clock.now() ? before : await lookUp(hash, before);
    if (entry === null) return refuse(hash, ip);
    await touch(entry);
    const { ownerId, key } = entry;
    return { id: ownerId, email: "", sessionId: "", claims: { sub: ownerId, role: "authenticated" }, key };
  };
  const callers = new WeakMap<FastifyRequest, Promise<Caller>>();
  const authenticateRequest = (request: FastifyRequest): Promise<Caller> => {
    const caller = callers.get(request) ?? authenticateKey(request.headers.authorization, request.ip);
    callers.set(request, caller);
    return caller;
  };
  return { authenticateKey, authenticateRequest, forget };
}
