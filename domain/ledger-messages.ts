import { msg, plural } from "@lingui/core/runtime-macro";
import type { LedgerKind, LedgerState } from "./ledger.ts";
import type { Message } from "./message.ts";
import type { SentenceFact } from "./story.ts";
import { contentClause, contentMessage, recipientClause } from "./refusal-messages.ts";
import {
  ADDRESS_LATE,
  classifySendError,
  isContentRefusal,
  isUploadFailure,
  OPTED_OUT,
  UPLOAD_FAILED,
} from "./send-outcome.ts";
import { readReason } from "./stored-reasons.ts";
import type { UiText, UiTextOrString } from "./ui-text.ts";

/** The facts that choose a message's sentence; times are ISO. */
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
  /** an attempt got no answer */
  isUncertain: boolean;
  notBefore: string | null;
};

/** What stops all messages of the account. */
export type AccountFacts = {
  isConnected: boolean;
  hasAccess: boolean;
  isStopped: boolean;
  /** automatic messages are recorded and not sent */
  isDryRun: boolean;
  pausedUntil: string | null;
};

const CAUSES: Readonly<Record<string, UiText>> = {
  [ADDRESS_LATE]: msg({
    message: "the person's address could not be looked up in time",
    comment: "Follows 'Skipped:' or 'because'.",
  }),
  [UPLOAD_FAILED]: msg({
    message: "its picture or video could not be uploaded to Telegram",
    comment: "Follows 'Not sent:' or 'because'.",
  }),
  EXPIRED: msg({ message: "it could not be sent in time", comment: "Follows 'Withdrawn:' or 'because'." }),
  LEAD_DELETED: msg({ message: "the lead was deleted", comment: "Follows 'Skipped:' or 'because'." }),
  JOB_ENDED: msg({ message: "the bulk message was ended", comment: "Follows 'Withdrawn:' or 'because'." }),
  ACCOUNT_CHANGED: msg({
    message: "another Telegram account was connected before it was confirmed",
    comment: "Follows 'because'.",
  }),
  RULE_DELETED: msg({ message: "the reminder was deleted", comment: "Follows 'Withdrawn:' or 'because'." }),
  RULE_DISABLED: msg({ message: "the reminder was switched off", comment: "Follows 'Withdrawn:' or 'because'." }),
  MOVED_ON: msg({ message: "the lead had moved on", comment: "Follows 'Withdrawn:' or 'because'." }),
  REPLIED: msg({ message: "the person had answered", comment: "Follows 'Skipped:' or 'because'." }),
  HELD: msg({ message: "you held the lead", comment: "Follows 'Skipped:' or 'because'." }),
  [OPTED_OUT]: recipientClause(OPTED_OUT),
  UNREACHABLE: msg({
    message: "the person could not be reached any more",
    comment: "Follows 'Skipped:' or 'because'.",
  }),
  CANCELLED: msg({ message: "it was still waiting when the data was exported", comment: "Follows 'Not sent:'." }),
  MESSAGE_EMPTY: msg({
    message: "nothing was left of the text once its placeholders were filled",
    comment: "Follows 'Not sent:'.",
  }),
};

/** Returns why a message was not sent, to follow a colon or 'because'. */
function causeClause(reason: string): UiText {
  const own = CAUSES[isUploadFailure(reason) ? UPLOAD_FAILED : reason];
  if (own !== undefined) return own;
  const outcome = classifySendError({ code: 400, text: reason });
  switch (outcome.kind) {
    case "wait":
    case "chatWait":
      return pauseClause(outcome.seconds);
    case "stopped":
      return msg({
        message: "Telegram limits how many people this account may write to",
        comment: "Follows 'Not sent:'.",
      });
    case "sessionLost":
      return msg({ message: "the Telegram account was signed out", comment: "Follows 'Not sent:'." });
    case "content":
      return contentClause(reason);
    case "recipient":
      return recipientClause(reason);
    default:
      return msg({ message: "Telegram gave no clear answer", comment: "Follows 'Not sent:'." });
  }
}

function pauseClause(seconds: number): UiText {
  if (seconds < 120)
    return msg`Telegram asked for a pause of ${plural({ seconds }, { 1: "one second", one: "# second", other: "# seconds" })}`;
  return seconds < 7_200
    ? msg`Telegram asked for a pause of ${plural({ minutes: Math.round(seconds / 60) }, { one: "# minute", other: "# minutes" })}`
    : msg`Telegram asked for a pause of ${plural({ hours: Math.round(seconds / 3_600) }, { one: "# hour", other: "# hours" })}`;
}

type Params = {
  attempts: number;
  reason: string;
  until: string;
};
/** Formats an ISO time. */
type MomentText = (moment: string) => string;

const MESSAGES = {
  waits_for_connection: () => msg`Waits until Telegram is connected again.`,
  waits_for_access: () => msg`Waits until the subscription is active again.`,
  waits_for_resume: () =>
    msg`Waits until you resume automatic messages: Telegram limits how many people this account may write to.`,
  waits_for_answer: () =>
    msg`Telegram's answer was lost, so it is asked for again under the same number: nobody gets it twice.`,
  waits_in_dry_run: () => msg`A dry run is on: this will be logged when it is due, but not sent.`,
  waits_for_account: ({ until }, momentText) =>
    msg`Waits until ${{ moment: momentText(until) }}, because Telegram asked for a pause.`,
  waits_for_user: () =>
    msg`Waits for you: your Telegram account was away for more than 24 hours. Continue to send the rest, or cancel it.`,
  waits_for_daily_limit: ({ until }, momentText) =>
    msg`Waits until ${{ moment: momentText(until) }}: the daily limit for people you have not talked to lately is reached. Sending resumes tomorrow.`,
  waits_until: ({ until }, momentText) => msg`Waits until ${{ moment: momentText(until) }}.`,
  waits_for_turn: () => msg`Waits for its turn.`,
  being_sent: () => msg`Is being sent right now.`,
  sent: () => msg`Sent.`,
  sent_in_the_end: ({ attempts }) => msg`Sent; Telegram confirmed it at try ${{ attempts }}.`,
  skipped: () => msg`Skipped.`,
  skipped_because: ({ reason }) => msg`Skipped: ${{ cause: causeClause(reason) }}.`,
  failed: () => msg`Not sent.`,
  failed_because: ({ reason }) => msg`Not sent: ${{ cause: causeClause(reason) }}.`,
  unknown: () =>
    msg`It may have arrived: Telegram's answer was lost, and it was not asked for again because it was withdrawn.`,
  unknown_because: ({ reason }) =>
    msg`It may have arrived: Telegram's answer was lost, and it was not asked for again because ${{ cause: causeClause(reason) }}.`,
  would_have_been_sent: () => msg`Dry run: it would have been sent. Nothing went out.`,
  cancelled_with_job: () => msg`Cancelled by you, together with the bulk message.`,
  withdrawn_with_stopped_job: ({ reason }) =>
    msg`Withdrawn, because the bulk message was stopped. ${{ cause: readReason(reason).text }}`,
  withdrawn_with_job: () => msg`Withdrawn, because the bulk message was ended.`,
  withdrawn: () => msg`Withdrawn before it left.`,
  withdrawn_because: ({ reason }) => msg`Withdrawn: ${{ cause: causeClause(reason) }}.`,
  reminder_expired: () => msg`Expired: it could not be sent within 24 hours of being due.`,
  other_account_connected: ({ reason }) =>
    msg`Not sent: ${{ cause: causeClause(reason) }}. Another Telegram account is connected since, so it may go out again.`,
} satisfies Record<string, (params: Params, momentText: MomentText) => UiText>;

/** A sentence about a message: its code and parameters. */
export type LedgerFact = { code: keyof typeof MESSAGES; params: Partial<Params> };

/** Returns the text of such a sentence. */
export const ledgerMessage = ({ code, params }: LedgerFact, momentText: MomentText): UiText =>
  MESSAGES[code](params as Params, momentText);

/** Returns the translatable text for an item's code, or the server's English where the code is unknown. */
export function sentenceMessage(
  { words, words_code: code, words_params: params = {} }: SentenceFact & { words?: string | null | undefined },
  momentText: MomentText,
): UiTextOrString | null {
  return code != null && Object.hasOwn(MESSAGES, code)
    ? ledgerMessage({ code, params } as LedgerFact, momentText)
    : (words ?? null);
}

/** Returns what happened to a message, or what it waits for. */
export const ledgerFact = (facts: LedgerFacts & Waiting, account: AccountFacts, now: number): LedgerFact =>
  facts.state === "pending" ? pendingFact(facts, account, now) : settledFact({ ...facts, state: facts.state });

const fact = (code: LedgerFact["code"], params: Partial<Params> = {}): LedgerFact => ({ code, params });

/** Returns what happened to a settled message. */
export function settledFact(facts: LedgerFacts & { state: Exclude<LedgerState, "pending"> }): LedgerFact {
  const { state, reason, attempts } = facts;
  switch (state) {
    case "sending":
      return fact("being_sent");
    case "sent":
      return attempts > 1 ? fact("sent_in_the_end", { attempts }) : fact("sent");
    case "skipped":
    case "failed":
      return reason === null ? fact(state) : fact(`${state}_because`, { reason });
    case "unknown":
      if (reason !== null && reason in CAUSES) return fact("unknown_because", { reason });
      return facts.job === null ? fact("unknown") : fact("unknown_because", { reason: "JOB_ENDED" });
    case "cancelled":
      return cancelledFact(facts);
    default:
      return fact("would_have_been_sent");
  }
}

function pendingFact(
  { kind, isUncertain, notBefore, job }: LedgerFacts & Waiting,
  account: AccountFacts,
  now: number,
): LedgerFact {
  const isUserInitiated = kind === "reply" || kind === "manual";
  if (!account.isConnected) return fact("waits_for_connection");
  if (!account.hasAccess && !isUserInitiated) return fact("waits_for_access");
  if (account.isStopped && !isUserInitiated) return fact("waits_for_resume");
  if (isUncertain) return fact("waits_for_answer");
  if (account.isDryRun && (kind === "followup" || kind === "reminder")) return fact("waits_in_dry_run");
  const accountAgain = laterThan(account.pausedUntil, now);
  if (accountAgain !== null) return fact("waits_for_account", { until: accountAgain });
  if (job?.isHeld) return fact("waits_for_user");
  const jobAgain = laterThan(job?.pausedUntil ?? null, now);
  if (jobAgain !== null) {
    // A bulk job sets a reason only when it reached the daily limit.
    return fact(job?.pausedReason == null ? "waits_until" : "waits_for_daily_limit", { until: jobAgain });
  }
  const due = laterThan(notBefore, now);
  return due === null ? fact("waits_for_turn") : fact("waits_until", { until: due });
}

function cancelledFact({ kind, reason, job }: LedgerFacts): LedgerFact {
  if (kind === "bulk" && (reason === null || reason === "JOB_ENDED")) {
    if (job?.status === "cancelled") return fact("cancelled_with_job");
    return job?.error ? fact("withdrawn_with_stopped_job", { reason: job.error }) : fact("withdrawn_with_job");
  }
  if (reason === null) return fact("withdrawn");
  if (kind === "reminder" && reason === "EXPIRED") return fact("reminder_expired");
  const outcome = classifySendError({ code: 400, text: reason });
  return kind === "followup" && !(reason in CAUSES) && outcome.kind === "recipient"
    ? fact("other_account_connected", { reason })
    : fact("withdrawn_because", { reason });
}

const laterThan = (moment: string | null, now: number): string | null =>
  moment !== null && Date.parse(moment) > now ? moment : null;

/** Explains the state of a message that the account sends, in a sentence; null when the state needs no explanation. */
export function reasonMessage({ state, reason }: Pick<Message, "state" | "reason">): UiText | null {
  if (state === "pending" || state === "sending") {
    if (reason === null) return null;
    return /WAIT/.test(reason)
      ? msg`Telegram makes this account wait. It is sent by itself afterwards.`
      : msg`It could not be sent yet. It is tried again by itself.`;
  }
  if (state === "unknown") return msg`It is not known whether this was sent. It may have arrived.`;
  if (state !== "failed") return null;
  if (reason === null) return msg`Not sent.`;
  if (isContentRefusal(reason)) return msg`Not sent. ${{ problem: contentMessage(reason) }}`;
  return msg`Not sent: ${{ cause: causeClause(reason) }}.`;
}
