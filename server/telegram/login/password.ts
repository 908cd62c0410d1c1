import type { tl } from "@mtcute/core";
import { callErrorOf } from "../call-error.ts";
import { asUser } from "./attempt.ts";
import type { LoginClient } from "./login-client.ts";
import { loginProblem, passwordInvalid } from "./problems.ts";

const SRP_TRIES = 2;

/** Returns the hint of the two-step password, if the user set one. */
export async function passwordHint({ call }: LoginClient): Promise<string | null> {
  const { hint } = await call({ _: "account.getPassword" });
  return hint === undefined || hint === "" ? null : hint;
}

/**
 * Completes a login with the two-step password, which leaves this process only as an SRP proof.
 * @throws ProblemError password_invalid, with the hint
 */
export async function checkPassword({ base, call }: LoginClient, password: string): Promise<tl.RawUser> {
  for (let tries = 1; ; tries += 1) {
    // The parameters are valid for one attempt; Telegram changes them each time.
    const parameters = await call({ _: "account.getPassword" });
    try {
      const proof = await base.computeSrpParams(parameters, password);
      const user = asUser(await call({ _: "auth.checkPassword", password: proof }));
      if (user === null) throw new Error("Telegram accepted the password but returned no account.");
      await base.notifyLoggedIn(user);
      return user;
    } catch (error) {
      const text = callErrorOf(error)?.text;
      if (text === "SRP_ID_INVALID" && tries < SRP_TRIES) continue;
      if (text === "PASSWORD_HASH_INVALID") throw passwordInvalid(parameters.hint ?? null);
      throw loginProblem(error);
    }
  }
}
