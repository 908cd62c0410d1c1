import { msg, plural } from "@lingui/core/runtime-macro";
import type { UiText } from "../../../domain/ui-text.ts";
/** What a state of automation is called, what comes next, and the screen where the user can act. */
export type WaitingTexts = { name: UiText; next: UiText; to?: { href: string; name: UiText } };

const FOLLOWUPS = (name: UiText) => ({ href: "/followups", name });

const HELD: Record<string, WaitingTexts> = {
  answered: {
    name: msg`Follow-ups stopped by a reply`,
    next: msg`They wrote after your last message. Answer them or move them on.`,
    to: { href: "/inbox", name: msg`Open the inbox` },
  },
  overdue_unconfirmed: {
    name: msg`Overdue, waiting for your approval`,
    next: msg`Nothing is sent to them until you approve it.`,
    to: FOLLOWUPS(msg`Review them`),
  },
  not_connected: {
    name: msg`No Telegram account connected`,
    next: msg`Nothing is sent until you connect one.`,
    to: { href: "/connect-telegram", name: msg`Connect Telegram` },
  },
  no_subscription: {
    name: msg`No active subscription`,
    next: msg`Nothing is sent automatically without one.`,
    to: { href: "/subscribe", name: msg`Subscribe` },
  },
  automation_off: {
    name: msg`Automatic follow-ups are off`,
    next: msg`Nothing is sent automatically until you switch them on.`,
    to: FOLLOWUPS(msg`Switch them on`),
  },
  account_stopped: {
    name: msg`Sending is stopped`,
    next: msg`Nothing is sent automatically until you resume it.`,
    to: { href: "/connect-telegram", name: msg`View the account` },
  },
  account_paused: {
    name: msg`Telegram asks this account to wait`,
    next: msg`Sending continues automatically after the pause.`,
    to: { href: "/connect-telegram", name: msg`View the account` },
  },
  waiting_for_limit: {
    name: msg`Waiting for the daily limit`,
    next: msg`Sending continues automatically when the limit resets.`,
  },
  waiting_for_hours: {
    name: msg`Waiting for your allowed hours`,
    next: msg`Sending continues automatically when they begin.`,
    to: FOLLOWUPS(msg`Change the hours`),
  },
  waiting_after_bulk: {
    name: msg`Waiting after a bulk message`,
    next: msg`Sending continues automatically an hour after it.`,
  },
  held: {
    name: msg({ message: "Held", comment: "Leads whose automatic messages the user has paused." }),
    next: msg`Nothing is sent to them automatically until you resume them or the hold ends.`,
  },
};

const QUIET: Record<string, (count: number) => UiText> = {
  finished: (count) =>
    msg`${plural({ count }, { one: "# lead who received every step", other: "# leads who received every step" })}`,
  no_steps: (count) =>
    msg`${plural({ count }, { one: "# lead in a stage without follow-ups", other: "# leads in a stage without follow-ups" })}`,
  unreachable: (count) =>
    msg`${plural({ count }, { one: "# lead who cannot be reached", other: "# leads who cannot be reached" })}`,
  opted_out: (count) =>
    msg`${plural({ count }, { one: "# lead who asked for no more messages", other: "# leads who asked for no more messages" })}`,
};

export type Waiting = readonly { state: string; count: number }[];

const ordered = <Texts>(texts: Record<string, Texts>, waiting: Waiting) =>
  Object.entries(texts).flatMap(([state, said]) => {
    const count = waiting.find((one) => one.state === state)?.count ?? 0;
    return count > 0 ? [{ state, count, texts: said }] : [];
  });

/** Why leads with upcoming messages are held up, with what the user must act on first. */
export const heldGroups = (waiting: Waiting) => ordered(HELD, waiting);
/** Leads without upcoming automatic messages, and why. */
export const quietOf = (waiting: Waiting) => ordered(QUIET, waiting);
