import type { Caller, Deps } from "../core/deps.ts";
import { createGuessLimits } from "./context.ts";
import { tooMany } from "../core/problem.ts";
import { isPassword } from "./passwords.ts";
import { signInAway } from "./problem.ts";
import { supabaseCallHeaders } from "./proxy.ts";
import { findById } from "./users.ts";

/** What other features may ask of the sign-in, wherever it lives. */
export type Credentials = {
  /**
   * Whether the password is the caller's own; wrong ones count as guesses.
   * @throws ProblemError 429 after too many, 503 when the sign-in is away
   */
  isPassword(caller: Caller, password: string, ip: string): Promise<boolean>;
  /** Ends every session and erases the account; whatever belongs to it goes with it. */
  erase(userId: string): Promise<void>;
};

/** Asks the embedded sign-in, or Supabase's. */
export function createCredentials(deps: Deps): Credentials {
  const { auth } = deps.config;
  const guesses = createGuessLimits(deps);
  const limited = (caller: Caller, ip: string, check: () => Promise<boolean>) =>
    guesses.byIp.attempt(ip, () => guesses.byAccount.attempt(caller.id, check));
  if (auth.kind === "embedded") {
    return {
      isPassword: (caller, password, ip) =>
        limited(caller, ip, async () =>
          isPassword((await findById(deps.db, caller.id))?.encrypted_password ?? null, password),
        ),
      erase: (userId) =>
        deps.db.transaction().execute(async (tx) => {
          await tx.deleteFrom("auth.users").where("id", "=", userId).execute();
          await deps.bus.publish("sessions.changed", { user_id: userId }, tx);
        }),
    };
  }
  const ask = (path: string, headers: Record<string, string>, init: RequestInit) =>
    fetch(`${auth.url}/auth/v1${path}`, {
      ...init,
      headers: { ...headers, "content-type": "application/json" },
      signal: AbortSignal.timeout(10_000),
      redirect: "error",
    }).catch(() => {
      throw signInAway();
    });
  return {
    isPassword: (caller, password, ip) =>
      limited(caller, ip, async () => {
        const body = JSON.stringify({ email: caller.email, password });
        const authorization = `Bearer ${auth.anonKey}`;
        const headers = supabaseCallHeaders(auth, { path: "/auth/v1/token", ip, authorization });
        const asked = { method: "POST", body };
        const answer = await ask("/token?grant_type=password", { authorization, ...headers }, asked);
        await answer.body?.cancel();
        if (answer.ok || answer.status === 400) return answer.ok;
        if (answer.status !== 429) throw signInAway();
        throw tooMany(
          "Too many attempts. Wait a moment and try again.",
          Number(answer.headers.get("retry-after")) || 60,
        );
      }),
    async erase(userId) {
      const key = { apikey: auth.serviceRoleKey, authorization: `Bearer ${auth.serviceRoleKey}` };
      const answer = await ask(`/admin/users/${userId}`, key, { method: "DELETE" });
      await answer.body?.cancel();
      if (!answer.ok && answer.status !== 404) throw signInAway();
      await deps.bus.publish("sessions.changed", { user_id: userId });
    },
  };
}
