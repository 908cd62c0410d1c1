import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import type { Db, DbOrTx, Tx } from "../db/index.ts";
import { refuseSignIn } from "./problem.ts";
import { ACCESS_TOKEN_SECONDS, type Tokens } from "./tokens.ts";
import { userView, type AuthUser } from "./users.ts";

/** Tabs that refresh at the same time send the same token. Within this time, the later ones get the current token. */
const REUSE_WINDOW_MS = 10_000;
/** A session expires when it has not been refreshed for this long. */
const SESSION_IDLE_DAYS = 60;

export type SignOutScope = "global" | "local" | "others";

/** Returns a session in supabase-js's format. */
export async function sessionView(tokens: Tokens, user: AuthUser, session: { id: string; counter: number }) {
  const { token, expiresAt } = await tokens.access(user, session.id);
  return {
    access_token: token,
    token_type: "bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
    expires_at: expiresAt,
    refresh_token: tokens.writeRefresh({ sessionId: session.id, counter: session.counter }),
    user: userView(user),
  };
}

/** Creates a session for a user who has just signed in. */
export async function openSession(db: DbOrTx, userId: string, at: string): Promise<{ id: string; counter: number }> {
  const { id } = await db
    .insertInto("auth.sessions")
    .values({ user_id: userId, created_at: at, updated_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db.updateTable("auth.users").set({ last_sign_in_at: at }).where("id", "=", userId).execute();
  return { id, counter: 0 };
}

const idleSince = (now: number) => new Date(now - SESSION_IDLE_DAYS * 86_400_000).toISOString();

type Rotation = { userId: string; counter: number } | "unknown" | "stolen";

/**
 * Uses a refresh token. Within the reuse window, a used token returns the session's current one. Later use means that the token was copied,
 * so the session ends.
 * @throws AuthProblem 400 refresh_token_not_found, refresh_token_already_used
 */
export async function rotate(
  deps: Deps,
  token: { sessionId: string; counter: number },
): Promise<{ userId: string; counter: number }> {
  const now = deps.clock.now();
  const result = await deps.db.transaction().execute(async (tx): Promise<Rotation> => {
    const session = await tx
      .selectFrom("auth.sessions")
      .selectAll()
      .where("id", "=", token.sessionId)
      .where("updated_at", ">", idleSince(now))
      .forUpdate()
      .executeTakeFirst();
    if (session === undefined || token.counter > session.refresh_counter) return "unknown";
    const current = session.refresh_counter;
    if (token.counter < current) {
      const usedAt = session.rotations[session.rotations.length - (current - token.counter)];
      if (usedAt !== undefined && now - usedAt <= REUSE_WINDOW_MS) return { userId: session.user_id, counter: current };
      await endSessions(deps, tx, [session.id]);
      return "stolen";
    }
    const recent = session.rotations.filter((usedAt) => now - usedAt <= REUSE_WINDOW_MS);
    await tx
      .updateTable("auth.sessions")
      .set({
        refresh_counter: current + 1,
        rotations: JSON.stringify([...recent, now]),
        updated_at: new Date(now).toISOString(),
      })
      .where("id", "=", session.id)
      .execute();
    return { userId: session.user_id, counter: current + 1 };
  });
  if (result === "unknown") throw refreshTokenNotFound();
  if (result === "stolen") {
    throw refuseSignIn(400, "refresh_token_already_used");
  }
  return result;
}

export const refreshTokenNotFound = () => refuseSignIn(400, "refresh_token_not_found");

async function endSessions(deps: Pick<Deps, "bus">, db: DbOrTx, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("auth.sessions").where("id", "in", ids).execute();
  for (const id of ids) await deps.bus.publish("session.revoked", { session_id: id }, db);
}

/**
 * Ends sessions of a user: this one, all others, or all.
 * @returns the ids of the ended sessions
 */
export async function signOut(
  deps: Pick<Deps, "bus">,
  tx: Tx,
  user: { id: string; sessionId: string | null },
  scope: SignOutScope,
): Promise<string[]> {
  const sessions = await tx.selectFrom("auth.sessions").select("id").where("user_id", "=", user.id).execute();
  const ids = sessions
    .map(({ id }) => id)
    .filter((id) => scope === "global" || (scope === "local") === (id === user.sessionId));
  await endSessions(deps, tx, ids);
  return ids;
}

/** Selects the open sessions: not signed out, and their user's account is not being erased. */
const openSessions = (db: Db) =>
  db
    .selectFrom("auth.sessions as session")
    .select("session.id")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("account_erasures").select("user_id").whereRef("user_id", "=", "session.user_id"))),
    );

/** True while the session is open. */
export async function isSessionOpen(db: Db, sessionId: string, userId: string): Promise<boolean> {
  const found = await openSessions(db)
    .where("session.id", "=", sessionId)
    .where("session.user_id", "=", userId)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns which of these sessions are open. */
export async function filterOpenSessions(db: Db, sessionIds: string[]): Promise<Set<string>> {
  const found = await openSessions(db)
    .where("session.id", "=", sql<string>`any(${sessionIds}::uuid[])`)
    .execute();
  return new Set(found.map(({ id }) => id));
}

/** Deletes idle sessions and expired links. */
export async function sweepSessions(deps: Pick<Deps, "db" | "clock">): Promise<void> {
  const now = deps.clock.now();
  await deps.db.deleteFrom("auth.sessions").where("updated_at", "<", idleSince(now)).execute();
  await deps.db.deleteFrom("auth.email_links").where("expires_at", "<", new Date(now).toISOString()).execute();
}
