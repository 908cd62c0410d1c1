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

test("says until when a message waits, or what must happen first", () => {
  const waits: [Parameters<typeof sentenceOf>, string][] = [
    [[{ state: "pending" }], "Waits for its turn."],
    [[{ state: "pending", notBefore: LATER }], "Waits until 5 March 2030, 14:30 UTC."],
    [[{ state: "pending", notBefore: "2030-03-05T11:00:00Z" }], "Waits for its turn."],
    [[{ state: "pending" }, { isConnected: false }], "Waits until Telegram is connected again."],
    [[{ state: "pending" }, { hasAccess: false }], "Waits until the subscription is active again."],
    [[{ state: "pending", kind: "reply" }, { hasAccess: false }], "Waits for its turn."],
    [
      [{ state: "pending" }, { isStopped: true }],
      "Waits until you resume automatic messages: Telegram limits how many people this account may write to.",
    ],
    [
      [{ state: "pending" }, { pausedUntil: LATER }],
      "Waits until 5 March 2030, 14:30 UTC, because Telegram asked for a pause.",
    ],
    [
      [{ state: "pending", isUncertain: true, notBefore: LATER }],
      "Telegram's answer was lost, so it is asked for again under the same number: nobody gets it twice.",
    ],
    [
      [{ state: "pending", notBefore: LATER }, { isDryRun: true }],
      "A dry run is on: this will be logged when it is due, but not sent.",
    ],
    [[{ state: "pending", kind: "reply" }, { isDryRun: true }], "Waits for its turn."],
    [
      [{ state: "pending", kind: "bulk", job: { ...job, pausedUntil: LATER, pausedReason: "The limit is reached." } }],
      "Waits until 5 March 2030, 14:30 UTC: the daily limit for people you have not talked to lately is reached. Sending goes on tomorrow.",
    ],
    [[{ state: "pending", kind: "bulk", job: { ...job, pausedUntil: LATER } }], "Waits until 5 March 2030, 14:30 UTC."],
    [
      [{ state: "pending", kind: "bulk", job: { ...job, isHeld: true } }],
      "Waits for you: your Telegram account was away for more than 24 hours. Continue to send the rest, or cancel it.",
    ],
  ];
  for (const [args, words] of waits) expect(sentenceOf(...args)).toBe(words);
});

test("says what happened to a settled message, and why", () => {
  const over: [Parameters<typeof sentenceOf>[0], string][] = [
    [{ state: "sending" }, "Is being sent right now."],
    [{ state: "sent" }, "Sent."],
    [{ state: "sent", attempts: 3 }, "Sent; Telegram confirmed it at try 3."],
    [{ state: "would_send" }, "Dry run: it would have been sent. Nothing went out."],
    [{ state: "skipped" }, "Skipped."],
    [{ state: "skipped", reason: "USER_IS_BLOCKED" }, "Skipped: this person blocked you."],
    [{ state: "skipped", reason: "LEAD_DELETED" }, "Skipped: the lead was deleted."],
    [{ state: "failed" }, "Not sent."],
    [{ state: "failed", reason: "UPLOAD_FAILED" }, "Not sent: its picture or video could not be uploaded to Telegram."],
    [
      { state: "unknown", reason: "UPLOAD_FAILED" },
      "It may have arrived: Telegram's answer was lost, and it was not asked for again because its picture or video could not be uploaded to Telegram.",
    ],
    [{ state: "failed", reason: "PEER_FLOOD" }, "Not sent: Telegram limits how many people this account may write to."],
    [{ state: "failed", reason: "ALLOW_PAYMENT_REQUIRED_5" }, "Not sent: this person asks for paid messages."],
    [
      { state: "failed", reason: "MESSAGE_TOO_LONG" },
      "Not sent: the message is too long for Telegram. Shorten it to 4,096 characters.",
    ],
    [
      { state: "failed", reason: "DOCUMENT_INVALID" },
      "Not sent: Telegram does not accept the attached file. Choose another one.",
    ],
    [{ state: "failed", reason: "FILE_PART_3_MISSING" }, "Not sent: Telegram gave no clear answer."],
    [
      { state: "unknown", reason: "REPLIED" },
      "It may have arrived: Telegram's answer was lost, and it was not asked for again because the person had answered.",
    ],
    [
      { state: "unknown", kind: "bulk", reason: "NO_ANSWER", job },
      "It may have arrived: Telegram's answer was lost, and it was not asked for again because the bulk message was ended.",
    ],
    [
      { state: "unknown", reason: "NO_ANSWER" },
      "It may have arrived: Telegram's answer was lost, and it was not asked for again because it was withdrawn.",
    ],
    [{ state: "cancelled" }, "Withdrawn before it left."],
    [{ state: "cancelled", reason: "EXPIRED" }, "Withdrawn: it could not be sent in time."],
    [
      { state: "cancelled", kind: "reminder", reason: "EXPIRED" },
      "Expired: it could not be sent within 24 hours of being due.",
    ],
    [{ state: "cancelled", reason: "FLOOD_WAIT_1" }, "Withdrawn: Telegram asked for a pause of one second."],
    [{ state: "cancelled", reason: "FLOOD_WAIT_42" }, "Withdrawn: Telegram asked for a pause of 42 seconds."],
    [{ state: "cancelled", reason: "SLOWMODE_WAIT_600" }, "Withdrawn: Telegram asked for a pause of 10 minutes."],
    [{ state: "cancelled", reason: "FLOOD_WAIT_86400" }, "Withdrawn: Telegram asked for a pause of 24 hours."],
    [{ state: "cancelled", reason: "SESSION_REVOKED" }, "Withdrawn: the Telegram account was signed out."],
    [
      { state: "cancelled", reason: "PEER_NOT_KNOWN" },
      "Not sent: this person has never written to the connected Telegram account; connect the account that they know. Another Telegram account is connected since, so it may go out again.",
    ],
    [
      { state: "cancelled", kind: "bulk", job: { ...job, status: "cancelled" } },
      "Cancelled by you, together with the bulk message.",
    ],
    [
      { state: "cancelled", kind: "bulk", job: { ...job, status: "failed", error: "The picture is too large." } },
      "Withdrawn, because the bulk message was stopped. The picture is too large.",
    ],
    [{ state: "cancelled", kind: "bulk", reason: "JOB_ENDED" }, "Withdrawn, because the bulk message was ended."],
  ];
  for (const [facts, words] of over) expect(sentenceOf(facts)).toBe(words);
});
