import { hash } from "node:crypto";
import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from "jose";
import type { Caller, Deps } from "../core/deps.ts";
import { refuse, unauthorized } from "../core/problem.ts";
import { signInUnavailable } from "./problem.ts";
import { isSessionOpen } from "./sessions.ts";
import { ensureProfile } from "./users.ts";

/** A lost notification keeps a signed-out session valid for at most this long. */
const RECHECK_MS = 60_000;
const MAX_CACHED = 10_000;

export type Authenticator = ((authorization: string | undefined) => Promise<Caller>) & {
  /** Removes a session from this process's cache. */
  forget(sessionId: string): void;
};

type Cached = { caller: Caller; expiresAt: number; recheckAt: number };

/**
 * Creates the check of access tokens: signature, expiry, and that the session was not signed out. Verified tokens are cached by hash, so
 * most calls need neither a signature check nor a query.
 */
export function createAuthenticator(deps: Deps): Authenticator {
  const verify = createVerifier(deps);
  const cache = new Map<string, Cached>();
  let revocations = 0;

  const forgetWhere = (ended: (caller: Caller) => boolean) => {
    revocations += 1;
    for (const [key, { caller }] of cache) if (ended(caller)) cache.delete(key);
  };
  const forget = (sessionId: string) => forgetWhere((caller) => caller.sessionId === sessionId);
  deps.bus.on("session.revoked", ({ session_id }) => forget(session_id));
  deps.bus.on("sessions.changed", ({ user_id }) => forgetWhere((caller) => caller.id === user_id));
  // The end of a session may have been missed, so each is checked again.
  deps.bus.onGap(() => {
    revocations += 1;
    for (const known of cache.values()) known.recheckAt = 0;
  });

  const authenticate = async (authorization: string | undefined): Promise<Caller> => {
    const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "")?.[1];
    if (token === undefined) throw unauthorized();
    const key = hash("sha256", token, "base64");
    const now = deps.clock.now();
    const known = cache.get(key);
    if (known !== undefined) {
      if (known.expiresAt <= now) throw expired();
      if (known.recheckAt > now) return known.caller;
    }
    const before = revocations;
    const { caller, expiresAt } = await verify(token);
    if (!(await isSessionOpen(deps.db, caller.sessionId, caller.id))) {
      cache.delete(key);
      throw refuse(401, "session_not_found");
    }
    if (known === undefined && deps.config.auth.kind === "supabase") await keepProfile(deps, caller);
    if (before === revocations) {
      if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value ?? "");
      cache.set(key, { caller, expiresAt, recheckAt: now + RECHECK_MS });
    }
    return caller;
  };
  return Object.assign(authenticate, { forget });
}

const expired = () => refuse(401, "token_expired");

/** On Supabase this server does not see sign-ups, so the first call of a confirmed account creates its users row. */
const keepProfile = (deps: Deps, { id, email, claims }: Caller) =>
  ensureProfile(
    deps.db,
    { id, email, metadata: (claims["user_metadata"] ?? {}) as Record<string, unknown> },
    deps.clock.iso(),
  );

function createVerifier(deps: Deps): (token: string) => Promise<{ caller: Caller; expiresAt: number }> {
  const { auth } = deps.config;
  const secret = auth.jwtSecret === null ? null : new TextEncoder().encode(auth.jwtSecret);
  const remote = auth.kind === "supabase" ? publishedKeys(`${auth.url}/auth/v1/.well-known/jwks.json`) : null;
  let hasWarnedOfSecret = false;
  const tellOfSecret = () => {
    if (hasWarnedOfSecret || auth.kind !== "supabase" || secret !== null) return;
    hasWarnedOfSecret = true;
    deps.logger.warn(
      "an access token was signed with a shared secret: if the project signs so, set SUPABASE_JWT_SECRET",
    );
  };
  const read = async (token: string): Promise<JWTPayload> => {
    const options = {
      audience: "authenticated",
      currentDate: new Date(deps.clock.now()),
      requiredClaims: ["sub", "exp", "session_id"],
    };
    const isShared = decodeProtectedHeader(token).alg === "HS256";
    if (isShared && secret !== null)
      return (await jwtVerify(token, secret, { ...options, algorithms: ["HS256"] })).payload;
    if (isShared) tellOfSecret();
    if (isShared || remote === null) throw refuse(401, "bad_jwt", { reason: "foreign" });
    return (await jwtVerify(token, remote, { ...options, algorithms: ["ES256", "RS256", "EdDSA"] })).payload;
  };
  return async (token) => {
    try {
      const payload = await read(token);
      if (payload["role"] !== "authenticated") throw unauthorized();
      const claims = { ...payload, sub: payload.sub ?? "", role: "authenticated" as const };
      const email = typeof payload["email"] === "string" ? payload["email"] : "";
      const caller = { id: claims.sub, email, sessionId: String(payload["session_id"]), claims, key: null };
      return { caller, expiresAt: (payload.exp ?? 0) * 1000 };
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw expired();
      if (error instanceof errors.JOSEError || error instanceof TypeError) {
        throw refuse(401, "bad_jwt", { reason: "unreadable" });
      }
      throw error;
    }
  };
}

/** Fetches Supabase's public keys. A missing response is an outage, not a bad token, so users stay signed in. */
function publishedKeys(address: string): JWTVerifyGetKey {
  const remote = createRemoteJWKSet(new URL(address), { timeoutDuration: 5_000 });
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      const isTokensFault =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys ||
        error instanceof errors.JOSENotSupported;
      throw isTokensFault ? error : signInUnavailable();
    }
  };
}
