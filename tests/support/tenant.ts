import { randomBytes } from "node:crypto";
import { openSession, sessionView } from "../../server/auth/sessions.ts";
import { createTokens } from "../../server/auth/tokens.ts";
import { createUser } from "../../server/auth/users.ts";
import { hashPassword } from "../../server/auth/passwords.ts";
import type { Deps } from "../../server/core/deps.ts";
import { changeRows } from "./rows.ts";

export type Tenant = { userId: string; email: string; password: string; token: string; refreshToken: string };

const PASSWORD = "correct horse battery";
let hash: Promise<string> | null = null;
let phones = 0;

const newEmail = (): string => `user-${randomBytes(6).toString("hex")}@example.com`;

/** Returns a phone number that no other test uses. */
export const newPhone = (): string => `+1555${process.pid % 1_000}${String((phones += 1)).padStart(5, "0")}`;

/** Adds a user with a one-hour session, as sign-up and sign-in do. */
export async function addUser(deps: Deps, email = newEmail()): Promise<Tenant> {
  const { auth } = deps.config;
  if (auth.kind !== "embedded") throw new Error("Users of a Supabase project sign up there.");
  const at = deps.clock.iso();
  const user = await createUser(deps.db, {
    email,
    encryptedPassword: await (hash ??= hashPassword(PASSWORD)),
    metadata: { name: "Test Person" },
    confirmed: true,
    at,
  });
  const session = await openSession(deps.db, user.id, at);
  const { access_token: token, refresh_token: refreshToken } = await sessionView(
    createTokens(deps, auth.jwtSecret),
    user,
    session,
  );
  return { userId: user.id, email, password: PASSWORD, token, refreshToken };
}

/** Changes the status of the user's subscription. */
export async function setAccess({ db, bus }: Pick<Deps, "db" | "bus">, user_id: string, status: string): Promise<void> {
  await changeRows(db, "subscriptions", { user_id }, { status });
  await bus.publish("subscription.changed", { user_id });
}

/** Gives the user an active subscription. */
export async function addSubscription({ db, bus }: Deps, userId: string): Promise<void> {
  await db.insertInto("subscriptions").values({ user_id: userId, status: "active" }).execute();
  await bus.publish("subscription.changed", { user_id: userId });
}
