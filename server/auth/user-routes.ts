import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { audit } from "../core/audit.ts";
import type { Caller } from "../core/deps.ts";
import { isUniqueViolation, type Tx } from "../db/index.ts";
import { bodyOf, callerOf, sendMail, textField, type AuthContext } from "./context.ts";
import { createLink, revokeLinks, safeRedirect, spendLink } from "./links.ts";
import { confirmationMail, emailChangeMail, recoveryMail } from "./mail.ts";
import { hashPassword, isPassword, requireStrongPassword } from "./passwords.ts";
import { AuthProblem, refuseSignIn, validationFailed } from "./problem.ts";
import { signOut } from "./sessions.ts";
import { startSession } from "./sign-in.ts";
import { findByEmail, findById, readEmail, readMetadata, userView, type AuthUser } from "./users.ts";

/** Reading and changing the user, e-mailed links and the sign-in's settings, on GoTrue's paths. */
export function registerAuthUser(scope: FastifyInstance, context: AuthContext): void {
  scope.get("/user", (request) => readUser(context, request));
  scope.put("/user", (request) => updateUser(context, request));
  scope.post("/recover", (request) => requestLink(context, request, "recovery"));
  scope.post("/resend", (request) => {
    if (bodyOf(request)["type"] !== "signup") throw validationFailed({ reason: "resend" });
    return requestLink(context, request, "signup");
  });
  scope.post("/verify", (request) => {
    const body = bodyOf(request);
    return follow(context, textField(body, "token_hash"), textField(body, "type"));
  });
  // Mail scanners send HEAD requests to every link; those must not use it.
  scope.get("/verify", { exposeHeadRoute: false }, (request, reply) => followFromMail(context, request, reply));
  scope.get("/settings", (_request, reply) =>
    reply.send({
      external: { email: true, phone: false, anonymous_users: false },
      disable_signup: false,
      mailer_autoconfirm: context.mailer === null,
      phone_autoconfirm: false,
      sms_provider: "",
      saml_enabled: false,
    }),
  );
  scope.get("/health", (_request, reply) =>
    reply.send({ name: "GoTrue", description: "Leadloom's sign-in, on GoTrue's paths" }),
  );
  scope.get("/.well-known/jwks.json", (_request, reply) => reply.send({ keys: [] }));
}

const readUser = async (context: AuthContext, request: FastifyRequest) =>
  userView(await ownUser(context, await callerOf(context, request)));

async function ownUser(context: AuthContext, caller: Caller): Promise<AuthUser> {
  const user = await findById(context.deps.db, caller.id);
  if (user === undefined) throw refuseSignIn(403, "user_not_found");
  return user;
}

async function updateUser(context: AuthContext, request: FastifyRequest) {
  const { deps } = context;
  const caller = await callerOf(context, request);
  const body = bodyOf(request);
  const user = await ownUser(context, caller);
  const changes: { raw_user_meta_data?: string; encrypted_password?: string; email?: string } = {};
  if (body["data"] != null) {
    changes.raw_user_meta_data = JSON.stringify(
      readMetadata({ ...user.raw_user_meta_data, ...readMetadata(body["data"]) }),
    );
  }
  if (body["password"] != null) changes.encrypted_password = await newPassword(context, request, user, body);
  let pendingEmail: string | null = null;
  if (body["email"] != null) {
    const email = readEmail(body["email"]);
    if (email !== user.email) {
      if (await changeEmail(context, request, user, email)) changes.email = email;
      else pendingEmail = email;
    }
  }
  const at = deps.clock.iso();
  const hasNewPassword = changes.encrypted_password !== undefined;
  const save = async (tx: Tx) => {
    if (hasNewPassword || changes.email !== undefined) await revokeLinks(tx, user.id, pendingEmail);
    const updated = await tx
      .updateTable("auth.users")
      .set({ ...changes, updated_at: at })
      .where("id", "=", user.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (!hasNewPassword) return { updated, ended: [] };
    await audit(tx, { userId: user.id, action: "password_changed", at });
    return { updated, ended: await signOut(deps, tx, caller, "others") };
  };
  const { updated, ended } = await deps.db.transaction().execute(save).catch(asEmailExists);
  ended.forEach((id) => context.authenticate.forget(id));
  return userView(updated);
}

async function newPassword(
  context: AuthContext,
  request: FastifyRequest,
  user: AuthUser,
  body: Record<string, unknown>,
): Promise<string> {
  const password = textField(body, "password");
  requireStrongPassword(password, user.email);
  if (body["current_password"] != null) {
    const current = textField(body, "current_password");
    const isRight = await context.guesses.byIp.attempt(request.ip, () => isPassword(user.encrypted_password, current));
    if (!isRight) throw refuseSignIn(400, "current_password_mismatch");
  }
  if (await isPassword(user.encrypted_password, password)) {
    throw refuseSignIn(422, "same_password");
  }
  return hashPassword(password);
}

/** Returns true when the address may change now; with e-mail, the owner must first follow a link. */
async function changeEmail(
  context: AuthContext,
  request: FastifyRequest,
  user: AuthUser,
  email: string,
): Promise<boolean> {
  const { deps, mailer } = context;
  if ((await findByEmail(deps.db, email)) !== undefined) throw emailExists();
  if (mailer === null) return true;
  await context.mailsByIp.use(request.ip);
  await context.mailsByAddress.use(email);
  const redirectTo = (request.query as Record<string, unknown>)["redirect_to"];
  const link = await createLink(deps, { userId: user.id, purpose: "email_change", email, redirectTo });
  await sendMail(context, request, { id: user.id, email }, emailChangeMail(link));
  return false;
}

const emailExists = () => refuseSignIn(422, "email_exists");

/** Throws `email_exists` if another account took the address in the meantime; other errors unchanged. */
function asEmailExists(error: unknown): never {
  throw isUniqueViolation(error) ? emailExists() : error;
}

/** Sends a link by e-mail. The response and its duration do not reveal whether the address has an account. */
async function requestLink(context: AuthContext, request: FastifyRequest, purpose: "signup" | "recovery") {
  const { deps, mailer } = context;
  const email = readEmail(bodyOf(request)["email"]);
  if (mailer === null) {
    throw refuseSignIn(422, "email_not_configured");
  }
  await context.mailsByIp.use(request.ip);
  await context.mailsByAddress.use(email);
  const redirectTo = (request.query as Record<string, unknown>)["redirect_to"];
  const send = async () => {
    const user = await findByEmail(deps.db, email);
    if (user === undefined || (purpose === "signup" && user.email_confirmed_at !== null)) return;
    const link = await createLink(deps, { userId: user.id, purpose, email, redirectTo });
    await sendMail(context, request, user, purpose === "signup" ? confirmationMail(link) : recoveryMail(link));
  };
  deps.work
    .track("send an e-mail", send())
    .catch((error: unknown) => deps.logger.error({ err: error }, "an e-mail could not be sent"));
  return {};
}

/** Uses a link and signs its user in, in one transaction, so that the link still works after a failure. */
function follow(context: AuthContext, secret: string, purpose: string) {
  const { clock, db } = context.deps;
  const use = async (tx: Tx) => {
    const link = await spendLink({ clock, db: tx }, secret, purpose);
    if (link.purpose === "email_change") await revokeLinks(tx, link.userId, null);
    const user = await tx
      .updateTable("auth.users")
      .set({
        ...(link.purpose === "email_change" ? { email: link.email } : {}),
        email_confirmed_at: sql<string>`coalesce(email_confirmed_at, ${clock.iso()}::timestamptz)`,
        updated_at: clock.iso(),
      })
      .where("id", "=", link.userId)
      .returningAll()
      .executeTakeFirstOrThrow();
    return startSession(context, user, tx);
  };
  return db.transaction().execute(use).catch(asEmailExists);
}

/** Handles a click in an e-mail: redirects to the page, with the session or the error after the #, where supabase-js reads it. */
async function followFromMail(context: AuthContext, request: FastifyRequest, reply: FastifyReply) {
  const { token, type, redirect_to } = request.query as Record<string, unknown>;
  const target = safeRedirect(context.deps.config.publicUrl, redirect_to);
  const go = (fragment: Record<string, string>) =>
    reply.redirect(`${target}#${new URLSearchParams(fragment).toString()}`, 303);
  try {
    const session = await follow(context, String(token), String(type));
    return await go({
      access_token: session.access_token,
      expires_at: String(session.expires_at),
      expires_in: String(session.expires_in),
      refresh_token: session.refresh_token,
      token_type: session.token_type,
      type: String(type),
    });
  } catch (error) {
    if (!(error instanceof AuthProblem)) throw error;
    return go({ error: "access_denied", error_code: error.code, error_description: error.message });
  }
}
