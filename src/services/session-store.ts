import type { SafeStorage } from "./storage.ts";

export type AuthUser = { id: string; email: string | null };
export type StoredSession = { user: AuthUser; accessToken: string; expiresAt: number };

/** The storage key of the Supabase client's session for this host. */
export const sessionKeyOf = (hostname: string): string => `sb-${hostname.split(".")[0] ?? ""}-auth-token`;

/** The client's own margin: it renews a token with less time left than this. */
const EXPIRY_MARGIN_MS = 90_000;

/** Whether the session's token can be used without renewal. `now` in milliseconds. */
export const isFresh = ({ expiresAt }: StoredSession, now: number): boolean => expiresAt - now > EXPIRY_MARGIN_MS;

/** Whether both tokens belong to the same user, as far as they can be decoded. */
export function isSameUser(token: string, other: string): boolean {
  const [person, another] = [personOf(token), personOf(other)];
  return person === null || another === null || person === another;
}

function personOf(token: string): string | null {
  try {
    const claims = JSON.parse(atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"))) as unknown;
    const person = typeof claims === "object" && claims !== null && "sub" in claims ? claims.sub : null;
    return typeof person === "string" ? person : null;
  } catch {
    return null;
  }
}

/** The session stored by the Supabase client; null if there is none or it is unreadable. `expiresAt` in milliseconds. */
export function readStoredSession(storage: SafeStorage, key: string): StoredSession | null {
  try {
    return sessionOf(JSON.parse(storage.get(key) ?? "null"));
  } catch {
    return null;
  }
}

/** Returns what the app needs of a Supabase session object; null for anything else. */
export function sessionOf(value: unknown): StoredSession | null {
  if (typeof value !== "object" || value === null) return null;
  const { access_token, expires_at, user } = value as Record<string, unknown>;
  const identity = (typeof user === "object" && user !== null ? user : {}) as Record<string, unknown>;
  if (typeof access_token !== "string" || typeof identity["id"] !== "string") return null;
  return {
    accessToken: access_token,
    expiresAt: typeof expires_at === "number" ? expires_at * 1000 : Number.POSITIVE_INFINITY,
    user: { id: identity["id"], email: typeof identity["email"] === "string" ? identity["email"] : null },
  };
}
