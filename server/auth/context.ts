import type { FastifyRequest } from "fastify";
import type { SIGN_IN_PROBLEMS } from "../../domain/sign-in-problems.ts";
import type { Caller, Deps } from "../core/deps.ts";
import { openLimiter, rateLimitError, type Limiter } from "../core/limits.ts";
import { acceptedLanguages } from "../core/languages.ts";
import { ProblemError } from "../core/problem.ts";
import type { Authenticator } from "./authenticator.ts";
import { createMailer, type Mail, type Mailer } from "./mail.ts";
import { type AuthProblem, refuseSignIn, validationFailed } from "./problem.ts";
import { createTokens, type Tokens } from "./tokens.ts";

export type AuthContext = {
  deps: Deps;
  tokens: Tokens;
  authenticate: Authenticator;
  /** null if no e-mail can be sent; accounts are then confirmed at once */
  mailer: Mailer | null;
  guesses: GuessLimits;
  signUps: Limiter;
  mailsByAddress: Limiter;
  mailsByIp: Limiter;
};

export type GuessLimits = { byIp: Limiter; byAccount: Limiter };

/** Limits wrong passwords: a burst, then four a minute per address and two a minute per account. Right ones do not count. */
export const createGuessLimits = (deps: Pick<Deps, "clock" | "config" | "db">): GuessLimits => ({
  byIp: openLimiter(deps, "guesses by address", {
    capacity: 20,
    refillSeconds: 15,
    ofNetworks: true,
    refusal: rateLimitError("guesses"),
  }),
  byAccount: openLimiter(deps, "guesses by account", {
    capacity: 10,
    refillSeconds: 30,
    refusal: rateLimitError("guesses"),
  }),
});

export function createAuthContext(
  deps: Deps,
  auth: Extract<Deps["config"]["auth"], { kind: "embedded" }>,
  authenticate: Authenticator,
  guesses: GuessLimits,
): AuthContext {
  const simulated = deps.config.telegram.kind === "sandbox" && !deps.config.production;
  return {
    deps,
    tokens: createTokens(deps, auth.jwtSecret),
    authenticate,
    mailer: auth.smtpUrl === null ? null : createMailer(auth.smtpUrl, auth.mailFrom, deps.languages),
    guesses,
    // Users who try the product on their own machine create many accounts from one address.
    signUps: openLimiter(deps, "sign-ups", {
      capacity: simulated ? 1_000 : 30,
      refillSeconds: simulated ? 1 : 60,
      ofNetworks: true,
      refusal: rateLimitError("sign_ups"),
    }),
    mailsByAddress: openLimiter(deps, "mails by e-mail", {
      capacity: 1,
      refillSeconds: 60,
      refusal: rateLimitError("one_mail"),
    }),
    mailsByIp: openLimiter(deps, "mails by address", {
      capacity: 30,
      refillSeconds: 60,
      ofNetworks: true,
      refusal: rateLimitError("mails"),
    }),
  };
}

/**
 * Sends an e-mail in the user's language, or else in one that the browser accepts.
 * @throws when the mail server refuses or does not respond
 */
export async function sendMail(
  { deps, mailer }: Pick<AuthContext, "deps" | "mailer">,
  request: FastifyRequest,
  to: { id: string; email: string },
  mail: Mail,
): Promise<void> {
  const settings = await deps.db
    .selectFrom("user_settings")
    .select("language")
    .where("user_id", "=", to.id)
    .executeTakeFirst();
  const accepted = acceptedLanguages(request.headers["accept-language"]);
  const chosen = settings?.language ?? null;
  await mailer?.send(to.email, mail, deps.languages.match(chosen === null ? accepted : [chosen, ...accepted]));
}

/**
 * Returns the body as an object.
 * @throws AuthProblem 400 for anything else
 */
export function bodyOf(request: FastifyRequest): Record<string, unknown> {
  const { body } = request;
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw refuseSignIn(400, "bad_json", { reason: "object" });
}

/** Returns a required text field. */
export function textField(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  throw validationFailed({ reason: "missing", field: name });
}

/** Converts the API's 401 to the 403 that GoTrue sends. */
function asForbidden({ code, params }: ProblemError): AuthProblem {
  if (code === "session_not_found") return refuseSignIn(403, code);
  if (code === "bad_jwt") return refuseSignIn(403, code, params as Parameters<(typeof SIGN_IN_PROBLEMS)["bad_jwt"]>[0]);
  return refuseSignIn(403, "bad_jwt", { reason: code === "token_expired" ? "expired" : "none" });
}

/**
 * Returns the caller of an access token.
 * @throws AuthProblem 401 no_authorization, 403 bad_jwt, session_not_found
 */
export async function callerOf(context: AuthContext, request: FastifyRequest): Promise<Caller> {
  if (request.headers.authorization === undefined) {
    throw refuseSignIn(401, "no_authorization");
  }
  try {
    return await context.authenticate(request.headers.authorization);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 401) throw error;
    throw asForbidden(error);
  }
}
