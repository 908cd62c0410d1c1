import { createHash, randomBytes } from "node:crypto";
import type { Deps } from "../core/deps.ts";
import type { DbOrTx } from "../db/index.ts";
import { refuseSignIn } from "./problem.ts";

export type LinkPurpose = "signup" | "recovery" | "email_change";

const LIFE_SECONDS: Record<LinkPurpose, number> = { signup: 86_400, recovery: 3_600, email_change: 86_400 };

const PURPOSES = Object.keys(LIFE_SECONDS) as LinkPurpose[];

const linkExpired = () => refuseSignIn(403, "otp_expired");

const hashOf = (secret: string) => createHash("sha256").update(secret).digest("base64url");

/** Returns the page that a link redirects to. It is always on this site, whatever the request asks for. */
export function safeRedirect(publicUrl: string, wanted: unknown): string {
  if (typeof wanted !== "string" || !URL.canParse(wanted)) return publicUrl;
  return new URL(wanted).origin === new URL(publicUrl).origin ? wanted : publicUrl;
}

/** Creates a link that works once and replaces an earlier one of the same purpose. */
export async function createLink(
  deps: Pick<Deps, "db" | "clock" | "config">,
  link: { userId: string; purpose: LinkPurpose; email: string; redirectTo: unknown },
): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const expiresAt = new Date(deps.clock.now() + LIFE_SECONDS[link.purpose] * 1000).toISOString();
  await deps.db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom("auth.email_links")
      .where("user_id", "=", link.userId)
      .where("purpose", "=", link.purpose)
      .execute();
    await tx
      .insertInto("auth.email_links")
      .values({
        secret_hash: hashOf(secret),
        user_id: link.userId,
        purpose: link.purpose,
        email: link.email,
        expires_at: expiresAt,
      })
      .execute();
  });
  const query = new URLSearchParams({
    token: secret,
    type: link.purpose,
    redirect_to: safeRedirect(deps.config.publicUrl, link.redirectTo),
  });
  return `${deps.config.publicUrl}/auth/v1/verify?${query.toString()}`;
}

/** Deletes a user's links, except those to `keepFor`, so that an intruder's link is void after a new password or address. */
export async function revokeLinks(db: DbOrTx, userId: string, keepFor: string | null): Promise<void> {
  const links = db.deleteFrom("auth.email_links").where("user_id", "=", userId);
  await (keepFor === null ? links : links.where("email", "<>", keepFor)).execute();
}

/**
 * Uses a link.
 * @throws AuthProblem 403 otp_expired when it is unknown, used, expired or of another purpose
 */
export async function spendLink(
  deps: Pick<Deps, "db" | "clock">,
  secret: string,
  purpose: string,
): Promise<{ userId: string; purpose: LinkPurpose; email: string }> {
  // supabase-js sends "email" for sign-ups and changed addresses when it verifies by hash.
  const purposes = PURPOSES.filter((known) => known === purpose || (purpose === "email" && known !== "recovery"));
  if (purposes.length === 0) throw linkExpired();
  const found = await deps.db
    .deleteFrom("auth.email_links")
    .where("secret_hash", "=", hashOf(secret))
    .where("purpose", "in", purposes)
    .where("expires_at", ">", deps.clock.iso())
    .returning(["user_id", "purpose", "email"])
    .executeTakeFirst();
  if (found === undefined) throw linkExpired();
  return { userId: found.user_id, purpose: found.purpose, email: found.email };
}
