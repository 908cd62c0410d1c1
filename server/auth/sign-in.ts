import type { FastifyInstance, FastifyRequest } from "fastify";
import { audit } from "../core/audit.ts";
import type { Tx } from "../db/index.ts";
import { bodyOf, callerOf, sendMail, textField, type AuthContext } from "./context.ts";
import { createLink } from "./links.ts";
import { alreadyRegisteredMail, confirmationMail, type Mail } from "./mail.ts";
import { hashPassword, isPassword, requireStrongPassword } from "./passwords.ts";
import { refuseSignIn, validationFailed } from "./problem.ts";
import { openSession, refreshTokenNotFound, rotate, sessionView, signOut, type SignOutScope } from "./sessions.ts";
import {
  createUser,
  ensureProfile,
  findByEmail,
  findById,
  readEmail,
  readMetadata,
  userExists,
  userView,
  type AuthUser,
} from "./users.ts";

/** Sign-up, sign-in, refresh and sign-out on GoTrue's paths. */
export function registerSignIn(scope: FastifyInstance, context: AuthContext): void {
  scope.post("/signup", (request) => signUp(context, request));
  scope.post<{ Querystring: { grant_type?: string } }>("/token", (request) => {
    switch (request.query.grant_type) {
      case "password":
        return signInWithPassword(context, request);
      case "refresh_token":
        return refresh(context, request);
      default:
        throw refuseSignIn(400, "invalid_grant");
    }
  });
  scope.post<{ Querystring: { scope?: string } }>("/logout", async (request, reply) => {
    const caller = await callerOf(context, request);
    const wanted = request.query.scope ?? "global";
    if (!["global", "local", "others"].includes(wanted)) throw validationFailed({ reason: "logout_scope" });
    const { deps } = context;
    const ended = await deps.db.transaction().execute((tx) => signOut(deps, tx, caller, wanted as SignOutScope));
    ended.forEach((id) => context.authenticate.forget(id));
    return reply.code(204).send();
  });
}

async function signUp(context: AuthContext, request: FastifyRequest) {
  const { deps, mailer } = context;
  const body = bodyOf(request);
  if (body["code_challenge"] != null) throw validationFailed({ reason: "pkce" });
  const email = readEmail(body["email"]);
  const password = textField(body, "password");
  requireStrongPassword(password, email);
  const metadata = readMetadata(body["data"]);
  await context.signUps.use(request.ip);
  const redirectTo = (request.query as Record<string, unknown>)["redirect_to"];
  const encryptedPassword = await hashPassword(password);
  const existing = await findByEmail(deps.db, email);
  if (existing !== undefined) {
    if (mailer === null) throw userExists();
    return signUpAgain(context, request, existing, { email, redirectTo, encryptedPassword, metadata });
  }
  const at = deps.clock.iso();
  const user = await createUser(deps.db, { email, encryptedPassword, metadata, confirmed: mailer === null, at });
  await audit(deps.db, { userId: user.id, action: "sign_up", at });
  if (mailer === null) {
    const session = await openSession(deps.db, user.id, at);
    return sessionView(context.tokens, { ...user, last_sign_in_at: at }, session);
  }
  const link = await createLink(deps, { userId: user.id, purpose: "signup", email, redirectTo });
  await sendNow(context, request, user, confirmationMail(link));
  return userView(user);
}

/** Handles a sign-up with a known address. The response does not reveal that the account exists; its owner gets an e-mail. */
async function signUpAgain(
  context: AuthContext,
  request: FastifyRequest,
  user: AuthUser,
  form: { email: string; redirectTo: unknown; encryptedPassword: string; metadata: Record<string, unknown> },
) {
  const { deps } = context;
  const { email, redirectTo } = form;
  await context.mailsByAddress.use(email);
  if (user.email_confirmed_at === null) {
    // The address is not confirmed yet: the latest sign-up counts, and only its link works.
    await deps.db
      .updateTable("auth.users")
      .set({ encrypted_password: form.encryptedPassword, raw_user_meta_data: JSON.stringify(form.metadata) })
      .where("id", "=", user.id)
      .where("email_confirmed_at", "is", null)
      .execute();
    const link = await createLink(deps, { userId: user.id, purpose: "signup", email, redirectTo });
    await sendNow(context, request, user, confirmationMail(link));
  } else {
    await sendNow(context, request, user, alreadyRegisteredMail(deps.config.publicUrl));
  }
  const at = deps.clock.iso();
  return {
    ...userView({
      ...user,
      id: crypto.randomUUID(),
      email,
      raw_user_meta_data: form.metadata,
      email_confirmed_at: null,
      last_sign_in_at: null,
      created_at: at,
      updated_at: at,
    }),
    identities: [],
  };
}

async function sendNow(context: AuthContext, request: FastifyRequest, to: AuthUser, mail: Mail): Promise<void> {
  try {
    await sendMail(context, request, to, mail);
  } catch (error) {
    context.deps.logger.error({ err: error }, "an e-mail could not be sent");
    throw refuseSignIn(503, "email_send_failed");
  }
}

async function signInWithPassword(context: AuthContext, request: FastifyRequest) {
  const { deps, guesses } = context;
  const body = bodyOf(request);
  const password = textField(body, "password");
  const email = readEmail(body["email"]);
  let user: AuthUser | undefined;
  const isRight = await guesses.byIp.attempt(request.ip, () =>
    guesses.byAccount.attempt(email, async () => {
      user = await findByEmail(deps.db, email);
      return isPassword(user?.encrypted_password ?? null, password);
    }),
  );
  const account = isRight ? user : undefined;
  if (account?.email_confirmed_at === null) throw refuseSignIn(400, "email_not_confirmed");
  const session = account && (await startIfUnchanged(context, account));
  if (session !== undefined) return session;
  await audit(deps.db, { userId: user?.id ?? null, action: "sign_in_refused", at: deps.clock.iso() });
  throw refuseSignIn(400, "invalid_credentials");
}

/** Starts a session unless the password has changed since `account` was read. A later change waits for the session and then ends it. */
const startIfUnchanged = (context: AuthContext, account: AuthUser) =>
  context.deps.db.transaction().execute(async (tx) => {
    const same = await tx
      .selectFrom("auth.users")
      .select("id")
      .where("id", "=", account.id)
      .where("encrypted_password", "=", account.encrypted_password)
      .forNoKeyUpdate()
      .executeTakeFirst();
    return same && startSession(context, account, tx);
  });

/** Creates a session and the rows that a first sign-in needs. */
export async function startSession(context: AuthContext, user: AuthUser, tx: Tx) {
  const at = context.deps.clock.iso();
  await ensureProfile(tx, { id: user.id, email: user.email, metadata: user.raw_user_meta_data }, at);
  await audit(tx, { userId: user.id, action: "sign_in", at });
  const session = await openSession(tx, user.id, at);
  return sessionView(context.tokens, { ...user, last_sign_in_at: at }, session);
}

async function refresh(context: AuthContext, request: FastifyRequest) {
  const token = context.tokens.readRefresh(textField(bodyOf(request), "refresh_token"));
  if (token === null) throw refreshTokenNotFound();
  const { userId, counter } = await rotate(context.deps, token).catch((error: unknown) => {
    context.authenticate.forget(token.sessionId);
    throw error;
  });
  const user = await findById(context.deps.db, userId);
  if (user === undefined) throw refreshTokenNotFound();
  return sessionView(context.tokens, user, { id: token.sessionId, counter });
}
