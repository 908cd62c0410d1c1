import type { FastifyRequest } from "fastify";
import type { Caller, Deps } from "../core/deps.ts";
import { openLimiter, type Limiter } from "../core/limits.ts";
import { acceptedLanguages, type Languages, openLanguages } from "../core/languages.ts";
import { limitNetworks } from "../core/network.ts";
import type { Authenticator } from "./authenticator.ts";
import { createMailer, type Mail, type Mailer } from "./mail.ts";
import { AuthProblem, validationFailed } from "./problem.ts";
import { createTokens, type Tokens } from "./tokens.ts";

/** What the embedded sign-in's routes share. */
export type AuthContext = {
  deps: Deps;
  tokens: Tokens;
  authenticate: Authenticator;
  /** null: no e-mail can be sent, accounts are confirmed at once */
  mailer: Mailer | null;
  languages: Languages;
  guesses: GuessLimits;
  signUps: Limiter;
  mailsByAddress: Limiter;
  mailsByIp: Limiter;
};

export type GuessLimits = { byIp: Limiter; byAccount: Limiter };

const TOO_MANY_GUESSES = "Too many failed attempts. Wait a moment and try again.";

/** Wrong passwords: a burst, then four a minute from one address and two a minute for one account. Right ones never count. */
export const createGuessLimits = (deps: Pick<Deps, "clock" | "config" | "db">): GuessLimits => ({
  byIp: limitNetworks(
    openLimiter(deps, "guesses by address", { capacity: 20, refillSeconds: 15, message: TOO_MANY_GUESSES }),
  ),
  byAccount: openLimiter(deps, "guesses by account", { capacity: 10, refillSeconds: 30, message: TOO_MANY_GUESSES }),
});

/** Builds the routes' context from the configuration. */
export function createAuthContext(
  deps: Deps,
  auth: Extract<Deps["config"]["auth"], { kind: "embedded" }>,
  authenticate: Authenticator,
  guesses: GuessLimits,
): AuthContext {
  const languages = openLanguages();
  const simulated = deps.config.telegram.kind === "sandbox" && !deps.config.production;
  return {
    deps,
    tokens: createTokens(deps, auth.jwtSecret),
    authenticate,
    mailer: auth.smtpUrl === null ? null : createMailer(auth.smtpUrl, auth.mailFrom, languages),
    languages,
    guesses,
    // A trial on one's own machine makes many accounts from one address.
    signUps: limitNetworks(
      openLimiter(deps, "sign-ups", {
        capacity: simulated ? 1_000 : 30,
        refillSeconds: simulated ? 1 : 60,
        message: "Too many sign-ups from your network. Try again later.",
      }),
    ),
    mailsByAddress: openLimiter(deps, "mails by e-mail", {
      capacity: 1,
      refillSeconds: 60,
      message: "For security purposes, you can only request this once a minute.",
    }),
    mailsByIp: limitNetworks(
      openLimiter(deps, "mails by address", {
        capacity: 30,
        refillSeconds: 60,
        message: "Too many e-mails were requested from your network. Try again later.",
      }),
    ),
  };
}

/**
 * Sends a mail in the language that the user chose, else in one that the browser asks for.
 * @throws when the mail server refuses or does not answer
 */
export async function sendMail(
  { deps, mailer, languages }: Pick<AuthContext, "deps" | "mailer" | "languages">,
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
  await mailer?.send(to.email, mail, languages.match(chosen === null ? accepted : [chosen, ...accepted]));
}

/**
 * The body as an object.
 * @throws AuthProblem 400 for anything else
 */
export function bodyOf(request: FastifyRequest): Record<string, unknown> {
  const { body } = request;
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new AuthProblem(400, "bad_json", "Send a JSON object.");
}

/** A text field that must be there. */
export function textField(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value === "string" && value !== "") return value;
  throw validationFailed(`${name} is missing.`);
}

/**
 * The caller by his access token, refused as GoTrue refuses.
 * @throws AuthProblem 401 no_authorization, 403 bad_jwt, session_not_found
 */
export async function callerOf(context: AuthContext, request: FastifyRequest): Promise<Caller> {
  if (request.headers.authorization === undefined) {
    throw new AuthProblem(401, "no_authorization", "This endpoint requires a Bearer token");
  }
  try {
    return await context.authenticate(request.headers.authorization);
  } catch (error) {
    const { status, code, message } = error as { status?: unknown; code?: unknown; message: string };
    if (status !== 401) throw error;
    throw new AuthProblem(403, code === "session_not_found" ? code : "bad_jwt", message);
  }
}
