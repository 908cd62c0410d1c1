import * as v from "valibot";
import { westernDigits } from "./digits.ts";
import { reasonEntries } from "./schema-parts.ts";
import { fieldProblem } from "./schema-message.ts";
import { DAILY_CAP_MAX, QR_TIMEOUT_SECONDS } from "./limits.ts";

/** Normalises a phone number to digits with a leading plus; null if it cannot be one. A copied one may hold invisible marks. */
function normalizePhone(text: string): string | null {
  const digits = westernDigits(text)
    .replace(/[\s().\p{Pd}\p{Cf}]/gu, "")
    .replace(/^\+|^00/, "");
  return /^\d{5,15}$/.test(digits) ? `+${digits}` : null;
}

const phone = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => normalizePhone(text) !== null, fieldProblem("phone_form")),
  v.transform((text) => normalizePhone(text) ?? text),
);

export const SendCode = v.strictObject({ phone });
export const VerifyCode = v.strictObject({
  phone,
  code: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, fieldProblem("code_missing")),
    v.maxLength(16),
    v.transform(westernDigits),
  ),
});
export const VerifyPassword = v.strictObject({
  password: v.pipe(v.string(), v.minLength(1, fieldProblem("two_step_password_missing")), v.maxLength(1024)),
});
export const QrComplete = v.strictObject({
  timeout_sec: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(QR_TIMEOUT_SECONDS)), QR_TIMEOUT_SECONDS),
});

export const TelegramStatus = v.object({ connected: v.boolean(), phone: v.optional(v.nullable(v.string())) });
export const QrStarted = v.object({ qr_url: v.optional(v.nullable(v.string())) });
/** The code as our server answers it, with its end. */
export const QrCode = v.object({ qr_url: v.nullable(v.string()), expires_at: v.optional(v.string()) });
export const LoginResult = v.looseObject({
  success: v.optional(v.boolean()),
  phone: v.optional(v.nullable(v.string())),
});
/** A login's outcome: connected, or the two-step password is required. */
export const LoginOutcome = v.union([
  v.object({ success: v.literal(true), phone: v.nullable(v.string()) }),
  v.object({ "2fa_required": v.literal(true), hint: v.nullable(v.string()) }),
]);

/** The health of the connected account, beyond the plain status. */
export const TelegramAccount = v.object({
  connected: v.boolean(),
  phone: v.nullable(v.string()),
  connected_at: v.nullable(v.string()),
  last_activity_at: v.nullable(v.string()),
  paused_until: v.nullable(v.string()),
  paused_reason: v.nullable(v.string()),
  /** set while Telegram's spam limit stops all automated sends, until the user resumes them */
  stopped_reason: v.nullable(v.string()),
  ...reasonEntries("stopped_reason"),
  /** since when Telegram cannot be reached for this account, when that lasts for a minute or longer */
  unusable_since: v.optional(v.nullable(v.string())),
  device: v.nullable(v.string()),
  daily_cap: v.number(),
  sent_today: v.number(),
  /** while not connected: why the last session ended, unless the user ended it */
  ended_reason: v.optional(v.nullable(v.string())),
  ...reasonEntries("ended_reason"),
  /** since when messages have not been arriving, in the same case */
  ended_at: v.optional(v.nullable(v.string())),
});
export type TelegramAccount = v.InferOutput<typeof TelegramAccount>;
export const TelegramAccountPatch = v.strictObject({
  daily_cap: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(DAILY_CAP_MAX)),
});

/** True when a response of any status asks for the two-step password (as a key, or in the text of a message). */
export function isTwoStepRequired(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  const fields = body as Record<string, unknown>;
  if (fields["2fa_required"] === true) return true;
  return ["error", "message", "detail", "status"].some(
    (key) => fields[key] === "2fa_required" || isTwoStepRequired(fields[key]),
  );
}
