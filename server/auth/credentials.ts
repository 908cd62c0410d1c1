import { audit } from "../core/audit.ts";
import type { Caller, Deps } from "../core/deps.ts";
import type { Tx } from "../db/index.ts";
import { createGuessLimits } from "./context.ts";
import { refuse } from "../core/problem.ts";
import { isPassword } from "./passwords.ts";
import { signInUnavailable } from "./problem.ts";
import { supabaseCallHeaders } from "./proxy.ts";
import { findById } from "./users.ts";

/** Operations on accounts that other features use, with either kind of sign-in. */
export type Credentials = {
  /**
   * Checks the caller's password; a wrong one counts as a guess.
   * @throws ProblemError 429 after too many, 503 when the sign-in service is unavailable
   */
  isPassword(caller: Caller, password: string, ip: string): Promise<boolean>;
  /** Ends every session and prevents sign-in; the account remains until its rows are erased. Idempotent. */
  close(userId: string): Promise<void>;
  /** Erases the account and what still belongs to it. Idempotent. */
  erase(userId: string): Promise<void>;
};

/** Uses the embedded sign-in, or Supabase's. */
export function createCredentials(deps: Deps): Credentials {
  const { auth } = deps.config;
  const guesses = createGuessLimits(deps);
  const limitGuesses = (caller: Caller, ip: string, check: () => Promise<boolean>) =>
    guesses.byIp.attempt(ip, () => guesses.byAccount.attempt(caller.id, check));
  if (auth.kind === "embedded") {
    return {
      isPassword: (caller, password, ip) =>
        limitGuesses(caller, ip, async () =>
          isPassword((await findById(deps.db, caller.id))?.encrypted_password ?? null, password),
        ),
      close: (userId) =>
        closeAccount(deps, userId, async (tx) => {
          await tx.deleteFrom("auth.sessions").where("user_id", "=", userId).execute();
          await tx.deleteFrom("auth.email_links").where("user_id", "=", userId).execute();
          // Frees the address for a new account.
          await tx
            .updateTable("auth.users")
            .set({ email: `${userId}@erased.invalid`, encrypted_password: "", raw_user_meta_data: "{}" })
            .where("id", "=", userId)
            .execute();
        }),
      erase: async (userId) => void (await deps.db.deleteFrom("auth.users").where("id", "=", userId).execute()),
    };
  }
  const ask = (path: string, headers: Record<string, string>, init: RequestInit) =>
    fetch(`${auth.url}/auth/v1${path}`, {
      ...init,
      headers: { ...headers, "content-type": "application/json" },
      signal: deps.clock.timeout(10_000),
      redirect: "error",
    }).catch(() => {
      throw signInUnavailable();
    });
  return {
    isPassword: (caller, password, ip) =>
      limitGuesses(caller, ip, async () => {
        const body = JSON.stringify({ email: caller.email, password });
        const authorization = `Bearer ${auth.anonKey}`;
        const headers = supabaseCallHeaders(auth, { path: "/auth/v1/token", ip, authorization });
        const init = { method: "POST", body };
        const answer = await ask("/token?grant_type=password", { authorization, ...headers }, init);
        await answer.body?.cancel();
        if (answer.ok || answer.status === 400) return answer.ok;
        if (answer.status !== 429) throw signInUnavailable();
        throw refuse(
          429,
          "too_many_requests",
          { reason: "attempts" },
          { retryAfterSeconds: Number(answer.headers.get("retry-after")) || 60 },
        );
      }),
    close: (userId) => closeAccount(deps, userId),
    async erase(userId) {
      const key = { apikey: auth.serviceRoleKey, authorization: `Bearer ${auth.serviceRoleKey}` };
      const answer = await ask(`/admin/users/${userId}`, key, { method: "DELETE" });
      await answer.body?.cancel();
      if (!answer.ok && answer.status !== 404) throw signInUnavailable();
    },
  };
}

/** Records the erasure, which survives a crash. From then on sign-in as the user is blocked; all processes are notified. */
const closeAccount = (deps: Deps, userId: string, work: (tx: Tx) => Promise<void> = async () => {}): Promise<void> =>
  deps.db.transaction().execute(async (tx) => {
    const at = deps.clock.iso();
    const noted = await tx
      .insertInto("account_erasures")
      .values({ user_id: userId, at })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (noted.numInsertedOrUpdatedRows === 0n) return;
    await work(tx);
    await audit(tx, { userId, action: "account_deleted", at });
    await deps.bus.publish("sessions.changed", { user_id: userId }, tx);
  });
