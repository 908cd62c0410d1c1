import { hash, verify } from "@node-rs/argon2";
import { type AuthProblem, refuseSignIn, validationFailed } from "./problem.ts";
import type { SIGN_IN_PROBLEMS } from "../../domain/sign-in-problems.ts";

const PASSWORD_MIN_CHARS = 8;
const PASSWORD_MAX_CHARS = 256;

/** argon2id with 19 MiB and two passes (OWASP's first choice); about 20 ms off the event loop. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Compared for an unknown e-mail, so that it takes as long as a wrong password. */
const decoyHash = hash("no account has this password", ARGON2ID);

export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2ID);

/** Checks a password. Without a hash, takes as long and returns false. */
export async function isPassword(encrypted: string | null, password: string): Promise<boolean> {
  if (password.length > PASSWORD_MAX_CHARS) return false;
  const matches = await verify(encrypted ?? (await decoyHash), password).catch(() => false);
  return encrypted !== null && matches;
}

/**
 * Refuses a weak password.
 * @throws AuthProblem 422 weak_password with its reasons, 400 when it is too long to hash
 */
export function requireStrongPassword(password: string, email: string): void {
  if (password.length > PASSWORD_MAX_CHARS) {
    throw validationFailed({ reason: "password_too_long", limit: PASSWORD_MAX_CHARS });
  }
  if (password.length < PASSWORD_MIN_CHARS) throw weak({ reason: "length", limit: PASSWORD_MIN_CHARS });
  if (password.toLowerCase() === email || new Set(password).size === 1) throw weak({ reason: "characters" });
}

function weak(params: Parameters<(typeof SIGN_IN_PROBLEMS)["weak_password"]>[0]): AuthProblem {
  const { message } = refuseSignIn(422, "weak_password", params);
  const extra = { weak_password: { message, reasons: [params.reason] } };
  return refuseSignIn(422, "weak_password", params, { extra });
}
