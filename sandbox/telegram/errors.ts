import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const known = require("@mtcute/core/tl/raw-errors.json") as { errors: Record<string, { code: number }> };

/** Codes that the list lacks, or that differ from the real network's (https://core.telegram.org/api/errors). */
const CORRECTIONS: Record<string, number> = {
  "ALLOW_PAYMENT_REQUIRED_%d": 403,
  CHANNEL_PRIVATE: 406,
  CHAT_ADMIN_REQUIRED: 403,
  CHAT_WRITE_FORBIDDEN: 403,
  PEER_ID_INVALID: 400,
  PRIVACY_PREMIUM_REQUIRED: 406,
  USER_IS_BLOCKED: 403,
  PEER_FLOOD: 400,
  AUTH_KEY_UNREGISTERED: 401,
  AUTH_KEY_INVALID: 401,
  AUTH_KEY_PERM_EMPTY: 401,
  AUTH_KEY_DUPLICATED: 406,
  SESSION_REVOKED: 401,
  SESSION_EXPIRED: 401,
  SESSION_PASSWORD_NEEDED: 401,
  USER_DEACTIVATED: 401,
  USER_DEACTIVATED_BAN: 401,
  RANDOM_ID_DUPLICATE: 500,
  MSG_WAIT_FAILED: 500,
  MSG_WAIT_TIMEOUT: 500,
  FROZEN_METHOD_INVALID: 420,
  Timeout: -503,
};

/** An error response to a call, sent as rpc_error. */
export class RpcError extends Error {
  override name = "RpcError";
  readonly code: number;
  /** whether writes before the error are kept */
  readonly keepsEffects: boolean;

  constructor(code: number, text: string, options: { keepsEffects?: boolean } = {}) {
    super(text);
    this.code = code;
    this.keepsEffects = options.keepsEffects ?? false;
  }
}

/**
 * Returns the error for a text, with its code from the published list; numbers in the text (FLOOD_WAIT_5) are allowed. `TIMEOUT` is the
 * network's own -503; `400:SOME_TEXT` sets the code explicitly.
 */
export function rpcError(text: string): RpcError {
  const explicit = /^(-?\d{3}):(.+)$/.exec(text);
  if (explicit) return new RpcError(Number(explicit[1]), explicit[2] ?? "");
  if (text === "TIMEOUT") return new RpcError(-503, "Timeout");
  const pattern = text.replace(/_\d+/, "_%d");
  const code = CORRECTIONS[text] ?? CORRECTIONS[pattern] ?? known.errors[text]?.code ?? known.errors[pattern]?.code;
  if (code !== undefined) return new RpcError(code, text);
  if (/_WAIT_\d+$/.test(text)) return new RpcError(420, text);
  return new RpcError(/_MIGRATE_\d+$/.test(text) ? 303 : 400, text);
}

/** A control was used incorrectly; `status` is the HTTP status. */
export class SandboxError extends Error {
  override name = "SandboxError";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
