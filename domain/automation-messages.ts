import { msg } from "@lingui/core/runtime-macro";
import { contentMessage, unreachableMessage } from "./refusal-messages.ts";
import type { SentenceFact } from "./story.ts";
import type { UiText, UiTextOrString } from "./ui-text.ts";

const MESSAGES = {
  no_steps: () => msg`This stage has no follow-ups, so nothing goes out by itself; add one, or write yourself.`,
  finished: () => msg`No follow-up of this stage is left, so nothing goes out by itself; what comes next is up to you.`,
  opted_out: () =>
    msg`This person asked for no more messages, so nothing goes out by itself; resume only if they agree to it.`,
  unreachable: () => msg`This person cannot be reached on Telegram, so nothing goes out until they write to you.`,
  unreachable_because: unreachableMessage,
  held: () => msg`You hold this lead, so nothing goes out by itself until you resume it.`,
  held_content: (reason) => msg`${{ problem: contentMessage(reason) }} Send the follow-up yourself, or skip it.`,
  held_stage_deleted: () => msg`Their stage was deleted; nothing goes out until you resume or move them.`,
  held_until: () => msg`You hold this lead until then; the follow-up goes out by itself afterwards.`,
  answered: () =>
    msg`This person wrote after your last message, so nothing goes out by itself; answer them or move them on.`,
  no_subscription: () => msg`There is no active subscription, so nothing goes out; open Billing to subscribe.`,
  not_connected: () => msg`No Telegram account is connected, so nothing goes out; connect one on the Connect page.`,
  automation_off: () => msg`Automatic follow-ups are switched off; switch them on, or send this one yourself.`,
  account_stopped: () =>
    msg`Telegram limits this account, so automatic messages rest; resume them on the Connect page.`,
  overdue_unconfirmed: () =>
    msg`This follow-up became due while it could not go out, so it waits for your approval on the follow-ups screen.`,
  account_paused: () => msg`Telegram asks this account to wait; the follow-up goes out by itself afterwards.`,
  waiting_for_hours: () =>
    msg`The follow-up is due and goes out by itself when your allowed hours begin; nobody needs to act.`,
  waiting_after_bulk: () =>
    msg`A bulk message went out within the last hour; the follow-up goes out by itself an hour after it.`,
  waiting_for_limit: () =>
    msg`The daily limit for people you have not talked to lately is reached; the follow-up goes out by itself once it resets.`,
  scheduled: () => msg`The follow-up goes out by itself then, unless this person writes first; nobody needs to act.`,
  being_sent: () => msg`The follow-up is being sent right now.`,
  dry_run_overdue: () =>
    msg`A dry run is on: this follow-up was logged, but not sent; when the dry run ends, it waits for your approval.`,
  dry_run: () =>
    msg`A dry run is on: the follow-up will be logged then, but not sent; end the dry run in the settings.`,
} satisfies Record<string, (reason: string) => UiText>;

/** Names the sentence about a lead's automation: its state, or a special case of it. */
export type AutomationCode = keyof typeof MESSAGES;

/**
 * Returns what happens to a lead next by itself, and who must act.
 * @param reason Telegram's name of the refusal, for codes about a refusal
 */
export const automationMessage = (code: AutomationCode, reason: string | null): UiText => MESSAGES[code](reason ?? "");

/** Returns the translatable text for the code in the server's answer, or its English where the code is unknown. */
export const sentenceOfAutomation = ({
  words,
  words_code: code,
  words_params: params,
}: SentenceFact & { words: string }): UiTextOrString =>
  code != null && Object.hasOwn(MESSAGES, code)
    ? automationMessage(code as AutomationCode, (params?.["reason"] as string | undefined) ?? null)
    : words;
