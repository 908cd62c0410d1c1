import { ProblemError, refuse } from "../../core/problem.ts";
import { callErrorOf } from "../call-error.ts";

const DAY_SECONDS = 86_400;

// The browser shows the password step if an error's text contains that word, so no text about codes may contain it.
export const codeExpired = () => refuse(422, "code_expired");
export const sessionExpired = () => refuse(422, "login_expired");
export const passwordInvalid = (hint: string | null) =>
  refuse(
    422,
    "password_invalid",
    { reason: "two_step", hint },
    { fields: { password: "Not the account's two-step password." } },
  );
export const qrExpired = () => refuse(408, "qr_expired");
export const accountInUse = () => refuse(409, "account_in_use");
export const loginNotSaved = () => refuse(503, "login_not_saved", null, { retryAfterSeconds: 10 });
export const telegramUnreachable = () => refuse(503, "telegram_unreachable", null, { retryAfterSeconds: 10 });

/** Converts a login error for the user. An error that is not Telegram's refusal is an outage or a bug. */
export function loginProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const refusal = callErrorOf(error);
  if (refusal === null) return telegramUnreachable();
  const { text, seconds } = refusal;
  if (seconds !== null)
    return refuse(429, "too_many_requests", { reason: "telegram", seconds }, { retryAfterSeconds: seconds });
  switch (text) {
    case "PHONE_CODE_INVALID":
    case "PHONE_CODE_EMPTY":
      return refuse(422, "code_invalid");
    case "PHONE_CODE_EXPIRED":
      return codeExpired();
    case "PHONE_NUMBER_INVALID":
      return refuse(422, "phone_invalid");
    case "PHONE_NUMBER_UNOCCUPIED":
      return refuse(422, "phone_unregistered");
    case "PHONE_NUMBER_BANNED":
      return refuse(422, "phone_banned");
    case "PHONE_NUMBER_FLOOD":
      return refuse(429, "phone_flood", { reason: "codes" }, { retryAfterSeconds: DAY_SECONDS });
    case "PHONE_PASSWORD_FLOOD":
      return refuse(429, "phone_flood", { reason: "tries" }, { retryAfterSeconds: DAY_SECONDS });
    case "API_ID_INVALID":
    case "API_ID_PUBLISHED_FLOOD":
      return refuse(503, "telegram_app_refused", null, { retryAfterSeconds: 3_600 });
    case "TIMEOUT":
      return telegramUnreachable();
    default:
      return refuse(422, "login_refused", { error: text });
  }
}
