import { ProblemError, invalid, tooMany } from "../../core/problem.ts";
import { callErrorOf } from "../rpc-error.ts";

const DAY_SECONDS = 86_400;

/** '42 seconds', '3 minutes', '2 hours': how long is left, rounded up. */
export function timeLeft(seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? [Math.ceil(seconds), "second"]
      : seconds < 7_200
        ? [Math.ceil(seconds / 60), "minute"]
        : [Math.ceil(seconds / 3_600), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

// The browser changes to the password step when an error's text holds that word, so no text about codes may hold it.
const codeInvalid = () => invalid("That code is not right. Check it and try again.", undefined, "code_invalid");
export const codeExpired = () => invalid("That code is no longer valid. Ask for a new one.", undefined, "code_expired");
export const sessionExpired = () => invalid("The login session expired. Start again.", undefined, "login_expired");
export const passwordInvalid = (hint: string | null) =>
  invalid(
    `That password is not right.${hint === null ? "" : ` Its hint is: ${hint}.`}`,
    { password: "Not the account's two-step password." },
    "password_invalid",
  );
export const qrExpired = () => new ProblemError(408, "qr_expired", "The QR code was not scanned in time. Start again.");
export const accountInUse = () =>
  new ProblemError(
    409,
    "account_in_use",
    "This Telegram account is already connected to another Leadloom account. Disconnect it there first.",
  );
export const loginNotSaved = () =>
  new ProblemError(
    503,
    "login_not_saved",
    "Telegram accepted the login, but it could not be saved, so it was ended again. Try again in a moment.",
    { retryAfterSeconds: 10 },
  );
export const telegramUnreachable = () =>
  new ProblemError(503, "telegram_unreachable", "Telegram does not answer right now. Try again in a moment.", {
    retryAfterSeconds: 10,
  });

/** A login step's failure as an answer for the person. What is no refusal of Telegram's is an outage or a bug. */
export function loginProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const refusal = callErrorOf(error);
  if (refusal === null) return telegramUnreachable();
  if (refusal.seconds !== null)
    return tooMany(`Telegram asks to wait ${timeLeft(refusal.seconds)} before the next try.`, refusal.seconds);
  switch (refusal.text) {
    case "PHONE_CODE_INVALID":
    case "PHONE_CODE_EMPTY":
      return codeInvalid();
    case "PHONE_CODE_EXPIRED":
      return codeExpired();
    case "PHONE_NUMBER_INVALID":
      return invalid("Telegram does not know this phone number. Check the country code.", undefined, "phone_invalid");
    case "PHONE_NUMBER_UNOCCUPIED":
      return invalid(
        "This phone has no Telegram account yet. Sign up in the Telegram app first.",
        undefined,
        "phone_unregistered",
      );
    case "PHONE_NUMBER_BANNED":
      return invalid("Telegram has banned this phone number. Appeal in the Telegram app.", undefined, "phone_banned");
    case "PHONE_NUMBER_FLOOD":
      return tooMany("Too many codes were asked for this phone. Try again in a day.", DAY_SECONDS, "phone_flood");
    case "PHONE_PASSWORD_FLOOD":
      return tooMany("Too many wrong tries for this account. Try again in a day.", DAY_SECONDS, "phone_flood");
    case "API_ID_INVALID":
    case "API_ID_PUBLISHED_FLOOD":
      return new ProblemError(
        503,
        "telegram_app_refused",
        "Telegram does not accept this server's application id. Its operator must get one of his own at my.telegram.org.",
        { retryAfterSeconds: 3_600 },
      );
    case "TIMEOUT":
      return telegramUnreachable();
    default:
      return invalid(`Telegram refused the login (${refusal.text}).`, undefined, "login_refused");
  }
}
