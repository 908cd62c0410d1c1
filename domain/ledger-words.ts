import { HELD_WORDS } from "./bulk.ts";
import type { LedgerKind, LedgerState } from "./ledger.ts";
import { ADDRESS_LATE, classifySendError, contentWords, recipientWords, UPLOAD_FAILED } from "./send-outcome.ts";

/** What is known of a message when its sentence is written; moments are ISO. */
export type LedgerFacts = {
  kind: LedgerKind;
  state: LedgerState;
  reason: string | null;
  attempts: number;
  /** of a bulk message */
  job: {
    status: string;
    error: string | null;
    pausedUntil: string | null;
    pausedReason: string | null;
    isHeld: boolean;
  } | null;
};
type Waiting = {
  /** an attempt ended without an answer */
  isUncertain: boolean;
  notBefore: string | null;
};

/** What holds every message of the account up, as far as it does. */
export type AccountFacts = {
  isConnected: boolean;
  hasAccess: boolean;
  isStopped: boolean;
  /** automatic messages are written down, and none leaves */
  isDryRun: boolean;
  pausedUntil: string | null;
};

const CAUSES: Record<string, string> = {
  [ADDRESS_LATE]: "the person's address could not be looked up in time",
  [UPLOAD_FAILED]: "its picture or video could not be uploaded to Telegram",
  EXPIRED: "it could not be sent in time",
  LEAD_DELETED: "the lead was deleted",
  JOB_ENDED: "the bulk message was ended",
  ACCOUNT_CHANGED: "another Telegram account was connected before it was confirmed",
  RULE_DELETED: "the reminder was deleted",
  RULE_DISABLED: "the reminder was switched off",
  MOVED_ON: "the lead had moved on",
  REPLIED: "the person had answered",
  HELD: "you held the lead",
  OPTED_OUT: "this person asked for no more messages",
  UNREACHABLE: "the person could not be reached any more",
  MESSAGE_EMPTY: "nothing was left of the text once its placeholders were filled",
};

/** Why a message was not sent, to stand after a colon or 'because'. */
function causeWords(reason: string): string {
  const own = CAUSES[reason];
  if (own !== undefined) return own;
  const outcome = classifySendError({ code: 400, text: reason });
  switch (outcome.kind) {
    case "wait":
    case "chatWait":
      return `Telegram asked for a pause of ${secondsWords(outcome.seconds)}`;
    case "stopped":
      return "Telegram limits how many people this account may write to";
    case "sessionLost":
      return "the Telegram account was signed out";
    case "content":
      return startSmall(contentWords(reason).replace(/\.$/, ""));
    case "recipient":
      return `this person ${recipientWords(reason)}`;
    default:
      return "Telegram gave no clear answer";
  }
}

/** In one sentence: what happened to a message, or what it waits for. */
export const ledgerWords = (facts: LedgerFacts & Waiting, account: AccountFacts, now: number): string =>
  facts.state === "pending" ? pendingWords(facts, account, now) : settledWords({ ...facts, state: facts.state });

/** In one sentence: what happened to a message that waits no more. */
export function settledWords(facts: LedgerFacts & { state: Exclude<LedgerState, "pending"> }): string {
  switch (facts.state) {
    case "sending":
      return "Is being sent right now.";
    case "sent":
      return facts.attempts > 1 ? `Sent; Telegram confirmed it at try ${facts.attempts}.` : "Sent.";
    case "skipped":
      return facts.reason === null ? "Skipped." : `Skipped: ${causeWords(facts.reason)}.`;
    case "failed":
      return facts.reason === null ? "Not sent." : `Not sent: ${causeWords(facts.reason)}.`;
    case "unknown":
      return `It may have arrived: Telegram's answer was lost, and it was not asked for again because ${unknownCause(facts)}.`;
    case "cancelled":
      return cancelledWords(facts);
    default:
      return "Dry run: it would have been sent, and nothing left.";
  }
}

function pendingWords(
  { kind, isUncertain, notBefore, job }: LedgerFacts & Waiting,
  account: AccountFacts,
  now: number,
): string {
  const isByHand = kind === "reply" || kind === "manual";
  if (!account.isConnected) return "Waits until Telegram is connected again.";
  if (!account.hasAccess && !isByHand) return "Waits until the subscription is active again.";
  if (account.isStopped && !isByHand)
    return "Waits until you resume automatic messages: Telegram limits how many people this account may write to.";
  if (isUncertain)
    return "Telegram's answer was lost, so it is asked for again under the same number: nobody gets it twice.";
  if (account.isDryRun && (kind === "followup" || kind === "reminder"))
    return "A dry run is on: this is written down when its time comes, and does not leave.";
  const accountAgain = laterThan(account.pausedUntil, now);
  if (accountAgain !== null) return `Waits until ${momentWords(accountAgain)}, because Telegram asked for a pause.`;
  if (job?.isHeld) return `Waits for you: ${startSmall(HELD_WORDS)}`;
  const jobAgain = laterThan(job?.pausedUntil ?? null, now);
  if (jobAgain !== null) {
    const cause = job?.pausedReason ?? null;
    return `Waits until ${momentWords(jobAgain)}${cause === null ? "." : `: ${startSmall(cause)}`}`;
  }
  const due = laterThan(notBefore, now);
  return due === null ? "Waits for its turn." : `Waits until ${momentWords(due)}.`;
}

const unknownCause = ({ reason, job }: LedgerFacts): string => {
  if (reason !== null && reason in CAUSES) return causeWords(reason);
  return job === null ? "it was withdrawn" : "the bulk message was ended";
};

function cancelledWords({ kind, reason, job }: LedgerFacts): string {
  if (kind === "bulk" && (reason === null || reason === "JOB_ENDED")) {
    if (job?.status === "cancelled") return "Cancelled by you, together with the bulk message.";
    if (job?.error) return `Withdrawn, because the bulk message was stopped: ${startSmall(job.error)}`;
    return "Withdrawn, because the bulk message was ended.";
  }
  if (reason === null) return "Withdrawn before it left.";
  if (kind === "reminder" && reason === "EXPIRED") return "Expired: it could not be sent within 24 hours of being due.";
  const outcome = classifySendError({ code: 400, text: reason });
  if (kind === "followup" && !(reason in CAUSES) && outcome.kind === "recipient")
    return `Not sent: ${causeWords(reason)}. Another Telegram account is connected since, so it may go out again.`;
  return `Withdrawn: ${causeWords(reason)}.`;
}

const laterThan = (moment: string | null, now: number): string | null =>
  moment !== null && Date.parse(moment) > now ? moment : null;

/** A product's or Telegram's name keeps its capital. */
const startSmall = (sentence: string): string =>
  /^Telegram\b/.test(sentence) ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1);

const moments = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});
const momentWords = (moment: string): string => `${moments.format(new Date(moment)).replace(" at ", ", ")} UTC`;

const secondsWords = (seconds: number): string => {
  if (seconds === 1) return "one second";
  if (seconds < 120) return `${seconds} seconds`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3_600)} hours`;
};
