import { expect, test } from "vitest";
import { ledgerFact, ledgerMessage, type AccountFacts, type LedgerFacts } from "../../domain/ledger-messages.ts";
import { english } from "../support/english.ts";

const NOW = Date.parse("2030-03-05T12:00:00.000Z");
const LATER = "2030-03-05T14:30:00.000Z";
const free: AccountFacts = { isConnected: true, hasAccess: true, isStopped: false, isDryRun: false, pausedUntil: null };
const job = { status: "in_progress", error: null, pausedUntil: null, pausedReason: null, isHeld: false };
type Facts = Parameters<typeof ledgerFact>[0];
const sentenceOf = (facts: Partial<Facts> & Pick<LedgerFacts, "state">, account: Partial<AccountFacts> = {}) =>
  english(
    ledgerMessage(
      ledgerFact(
        { kind: "followup", reason: null, attempts: 1, isUncertain: false, notBefore: null, job: null, ...facts },
        { ...free, ...account },
        NOW,
      ),
      (moment) => (moment === LATER ? "5 March 2030, 14:30 UTC" : moment),
    ),
  );

const UNTIL = "Waits until 5 March 2030, 14:30 UTC";
const LIMITED = "Telegram limits how many people this account may write to.";

test("says until when a message waits, or what must happen first", () => {
  const waits: [Partial<Facts>, string, Partial<AccountFacts>?][] = [
    [{}, "Waits for its turn."],
    [{ notBefore: LATER }, `${UNTIL}.`],
    [{ notBefore: "2030-03-05T11:00:00Z" }, "Waits for its turn."],
    [{}, "Waits until Telegram is connected again.", { isConnected: false }],
    [{}, "Waits until the subscription is active again.", { hasAccess: false }],
    [{ kind: "reply" }, "Waits for its turn.", { hasAccess: false }],
    [{}, `Waits until you resume automatic messages: ${LIMITED}`, { isStopped: true }],
    [{}, `${UNTIL}, because Telegram asked for a pause.`, { pausedUntil: LATER }],
    [
      { isUncertain: true, notBefore: LATER },
      "Telegram's answer was lost, so it is asked for again under the same number: nobody gets it twice.",
    ],
    [{ notBefore: LATER }, "A dry run is on: this will be logged when it is due, but not sent.", { isDryRun: true }],
    [{ kind: "reply" }, "Waits for its turn.", { isDryRun: true }],
    [
      { kind: "bulk", job: { ...job, pausedUntil: LATER, pausedReason: "The limit is reached." } },
      `${UNTIL}: the daily limit for people you have not talked to lately is reached. Sending resumes tomorrow.`,
    ],
    [{ kind: "bulk", job: { ...job, pausedUntil: LATER } }, `${UNTIL}.`],
    [
      { kind: "bulk", job: { ...job, isHeld: true } },
      "Waits for you: your Telegram account was away for more than 24 hours. Continue to send the rest, or cancel it.",
    ],
  ];
  for (const [facts, words, account] of waits) expect(sentenceOf({ state: "pending", ...facts }, account)).toBe(words);
});

const LOST = "It may have arrived: Telegram's answer was lost, and it was not asked for again because";

test("says what happened to a settled message, and why", () => {
  const over: [state: Facts["state"], reason: string | null, words: string, more?: Partial<Facts>][] = [
    ["sending", null, "Is being sent right now."],
    ["sent", null, "Sent."],
    ["sent", null, "Sent; Telegram confirmed it at try 3.", { attempts: 3 }],
    ["would_send", null, "Dry run: it would have been sent. Nothing went out."],
    ["skipped", null, "Skipped."],
    ["skipped", "USER_IS_BLOCKED", "Skipped: this person blocked you."],
    ["skipped", "LEAD_DELETED", "Skipped: the lead was deleted."],
    ["failed", null, "Not sent."],
    ["failed", "UPLOAD_FAILED", "Not sent: its picture or video could not be uploaded to Telegram."],
    ["unknown", "UPLOAD_FAILED", `${LOST} its picture or video could not be uploaded to Telegram.`],
    ["failed", "PEER_FLOOD", `Not sent: ${LIMITED}`],
    ["failed", "ALLOW_PAYMENT_REQUIRED_5", "Not sent: this person asks for paid messages."],
    ["failed", "MESSAGE_TOO_LONG", "Not sent: the message is too long for Telegram. Shorten it to 4,096 characters."],
    ["failed", "DOCUMENT_INVALID", "Not sent: Telegram does not accept the attached file. Choose another one."],
    ["failed", "FILE_PART_3_MISSING", "Not sent: its picture or video could not be uploaded to Telegram."],
    ["unknown", "REPLIED", `${LOST} the person had answered.`],
    ["unknown", "NO_ANSWER", `${LOST} the bulk message was ended.`, { kind: "bulk", job }],
    ["unknown", "NO_ANSWER", `${LOST} it was withdrawn.`],
    ["cancelled", null, "Withdrawn before it left."],
    ["cancelled", "EXPIRED", "Withdrawn: it could not be sent in time."],
    ["cancelled", "EXPIRED", "Expired: it could not be sent within 24 hours of being due.", { kind: "reminder" }],
    ["cancelled", "FLOOD_WAIT_1", "Withdrawn: Telegram asked for a pause of one second."],
    ["cancelled", "FLOOD_WAIT_42", "Withdrawn: Telegram asked for a pause of 42 seconds."],
    ["cancelled", "SLOWMODE_WAIT_600", "Withdrawn: Telegram asked for a pause of 10 minutes."],
    ["cancelled", "FLOOD_WAIT_86400", "Withdrawn: Telegram asked for a pause of 24 hours."],
    ["cancelled", "SESSION_REVOKED", "Withdrawn: the Telegram account was signed out."],
    [
      "cancelled",
      "PEER_NOT_KNOWN",
      "Not sent: this person has never written to the connected Telegram account; connect the account that they know. Another Telegram account is connected since, so it may go out again.",
    ],
    [
      "cancelled",
      null,
      "Cancelled by you, together with the bulk message.",
      { kind: "bulk", job: { ...job, status: "cancelled" } },
    ],
    [
      "cancelled",
      null,
      "Withdrawn, because the bulk message was stopped. The picture is too large.",
      { kind: "bulk", job: { ...job, status: "failed", error: "The picture is too large." } },
    ],
    ["cancelled", "JOB_ENDED", "Withdrawn, because the bulk message was ended.", { kind: "bulk" }],
  ];
  for (const [state, reason, words, more] of over) expect(sentenceOf({ state, reason, ...more })).toBe(words);
});
