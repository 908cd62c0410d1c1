import { sql, type Selectable } from "kysely";
import { cutText } from "../../domain/cut-text.ts";
import { NAME_MAX_CHARS } from "../../domain/limits.ts";
import { isUniqueViolation, type Database, type Db, type DbOrTx } from "../db/index.ts";
import { refuseSignIn, validationFailed } from "./problem.ts";

export type AuthUser = Selectable<Database["auth.users"]>;

const EMAIL = /^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;\\[\]]{2,}$/u;
const METADATA_MAX_CHARS = 4_096;

/**
 * Normalizes an e-mail address: trimmed, lower case.
 * @throws AuthProblem 400 when it is invalid
 */
export function readEmail(value: unknown): string {
  const email = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (email.length > 254 || !EMAIL.test(email) || hasControl(email)) {
    throw validationFailed({ reason: "email" });
  }
  return email;
}

const hasControl = (text: string) => /\p{Cc}|\p{Cs}/u.test(text);

/**
 * Checks the metadata of a sign-up, which is stored as JSON.
 * @throws AuthProblem 400 when it is not an object, too large, or contains what Postgres cannot store
 */
export function readMetadata(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw validationFailed({ reason: "data_object" });
  const text = JSON.stringify(value);
  if (text.length > METADATA_MAX_CHARS) throw validationFailed({ reason: "data_too_long", limit: METADATA_MAX_CHARS });
  if (/\\u(0000|d[89a-f])/i.test(text)) throw validationFailed({ reason: "data_characters" });
  return value as Record<string, unknown>;
}

/** Finds an account by e-mail address, ignoring case. */
export const findByEmail = (db: DbOrTx, email: string): Promise<AuthUser | undefined> =>
  db
    .selectFrom("auth.users")
    .selectAll()
    .where(sql`lower(email)`, "=", email)
    .executeTakeFirst();

export const findById = (db: DbOrTx, id: string): Promise<AuthUser | undefined> =>
  db.selectFrom("auth.users").selectAll().where("id", "=", id).executeTakeFirst();

export const userExists = () => refuseSignIn(422, "user_already_exists");

/**
 * Creates an account.
 * @throws AuthProblem 422 user_already_exists, also when two sign-ups race
 */
export async function createUser(
  db: Db,
  account: {
    email: string;
    encryptedPassword: string;
    metadata: Record<string, unknown>;
    confirmed: boolean;
    at: string;
  },
): Promise<AuthUser> {
  try {
    return await db
      .insertInto("auth.users")
      .values({
        email: account.email,
        encrypted_password: account.encryptedPassword,
        raw_user_meta_data: JSON.stringify(account.metadata),
        email_confirmed_at: account.confirmed ? account.at : null,
        created_at: account.at,
        updated_at: account.at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  } catch (error) {
    if (isUniqueViolation(error)) throw userExists();
    throw error;
  }
}

/** Returns the name given at sign-up, or an empty text. */
function metadataName(metadata: Record<string, unknown>): string {
  const name = [metadata["name"], metadata["full_name"]].find((value) => typeof value === "string") ?? "";
  return cutText(name.trim(), NAME_MAX_CHARS);
}

/** Creates a missing users row from the metadata of the sign-up. With e-mail confirmation, the browser had no session to insert it. */
export async function ensureProfile(
  db: DbOrTx,
  user: { id: string; email: string; metadata: Record<string, unknown> },
  at: string,
): Promise<void> {
  await db
    .insertInto("users")
    .values({ id: user.id, email: user.email, name: metadataName(user.metadata), created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the account in GoTrue's format. */
export function userView(user: AuthUser) {
  const identity = {
    identity_id: user.id,
    id: user.id,
    user_id: user.id,
    provider: "email",
    identity_data: {
      sub: user.id,
      email: user.email,
      email_verified: user.email_confirmed_at !== null,
      phone_verified: false,
    },
    email: user.email,
    last_sign_in_at: user.last_sign_in_at,
    created_at: user.created_at,
    updated_at: user.updated_at,
  };
  return {
    id: user.id,
    aud: "authenticated",
    role: "authenticated",
    email: user.email,
    email_confirmed_at: user.email_confirmed_at,
    confirmed_at: user.email_confirmed_at,
    phone: "",
    last_sign_in_at: user.last_sign_in_at,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: user.raw_user_meta_data,
    identities: [identity],
    created_at: user.created_at,
    updated_at: user.updated_at,
    is_anonymous: false,
  };
}
