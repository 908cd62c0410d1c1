import { createHmac, timingSafeEqual } from "node:crypto";
import { SignJWT } from "jose";
import type { Deps } from "../core/deps.ts";
import { deriveKey } from "../core/vault.ts";
import type { AuthUser } from "./users.ts";

export const ACCESS_TOKEN_SECONDS = 3_600;
const MAC_BYTES = 24;

export type RefreshToken = { sessionId: string; counter: number };
export type Tokens = {
  /** Signs an access token like Supabase: HS256, one hour, with the session's id. */
  access(user: AuthUser, sessionId: string): Promise<{ token: string; expiresAt: number }>;
  writeRefresh(token: RefreshToken): string;
  /** Reads a refresh token; null if this server did not sign it. */
  readRefresh(text: string): RefreshToken | null;
};

export function createTokens(deps: Pick<Deps, "config" | "clock">, jwtSecret: string): Tokens {
  const signingKey = new TextEncoder().encode(jwtSecret);
  const refreshKey = deriveKey(Buffer.from(jwtSecret), "refresh token");
  const mac = (payload: Buffer) => createHmac("sha256", refreshKey).update(payload).digest().subarray(0, MAC_BYTES);
  return {
    async access(user, sessionId) {
      const issuedAt = Math.floor(deps.clock.now() / 1000);
      const expiresAt = issuedAt + ACCESS_TOKEN_SECONDS;
      const token = await new SignJWT({
        email: user.email,
        phone: "",
        app_metadata: { provider: "email", providers: ["email"] },
        user_metadata: user.raw_user_meta_data,
        role: "authenticated",
        aal: "aal1",
        session_id: sessionId,
        is_anonymous: false,
      })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setIssuer(`${deps.config.publicUrl}/auth/v1`)
        .setSubject(user.id)
        .setAudience("authenticated")
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(signingKey);
      return { token, expiresAt };
    },
    writeRefresh({ sessionId, counter }) {
      const payload = Buffer.alloc(20);
      payload.write(sessionId.replaceAll("-", ""), "hex");
      payload.writeUInt32BE(counter, 16);
      return Buffer.concat([payload, mac(payload)]).toString("base64url");
    },
    readRefresh(text) {
      const bytes = Buffer.from(text, "base64url");
      if (bytes.length !== 20 + MAC_BYTES || bytes.toString("base64url") !== text) return null;
      const payload = bytes.subarray(0, 20);
      if (!timingSafeEqual(bytes.subarray(20), mac(payload))) return null;
      const hex = payload.toString("hex", 0, 16);
      const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
      return { sessionId, counter: payload.readUInt32BE(16) };
    },
  };
}
