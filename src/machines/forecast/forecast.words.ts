/** How a state of automation reads over a number of leads, what comes next, and the screen where a person can act. */
export type WaitingWords = { name: string; next: string; to?: { href: string; name: string } };

const FOLLOWUPS = (name: string) => ({ href: "/followups", name });

const HELD: Record<string, WaitingWords> = {
  answered: {
    name: "Follow-ups stopped by a reply",
    next: "They wrote after your last message. Answer them, or move them on.",
    to: { href: "/inbox", name: "Open the inbox" },
  },
  overdue_unconfirmed: {
    name: "Overdue, waiting for your word",
    next: "Nothing goes out to them before you say so.",
    to: FOLLOWUPS("Look through them"),
  },
  not_connected: {
    name: "No Telegram account connected",
    next: "Nothing goes out until you connect one.",
    to: { href: "/connect-telegram", name: "Connect Telegram" },
  },
  no_subscription: {
    name: "No active subscription",
    next: "Nothing goes out by itself without one.",
    to: { href: "/subscribe", name: "Subscribe" },
  },
  automation_off: {
    name: "Automatic follow-ups are off",
    next: "Nothing goes out by itself until you switch them on.",
    to: FOLLOWUPS("Switch them on"),
  },
  account_stopped: {
    name: "Sending is stopped",
    next: "Nothing goes out by itself until you resume it.",
    to: { href: "/connect-telegram", name: "Look at the account" },
  },
  account_paused: {
    name: "Telegram makes the account wait",
    next: "Their turn comes by itself when the pause is over.",
    to: { href: "/connect-telegram", name: "Look at the account" },
  },
  waiting_for_limit: {
    name: "Waiting for the daily limit",
    next: "Their turn comes by itself once it begins anew.",
  },
  waiting_for_hours: {
    name: "Waiting for your allowed hours",
    next: "Their turn comes by itself when those begin.",
    to: FOLLOWUPS("Change the hours"),
  },
  waiting_after_bulk: {
    name: "Waiting after a bulk message",
    next: "Their turn comes by itself an hour after it.",
  },
  held: { name: "Held", next: "Nothing goes out to them by itself until you resume them or the hold ends." },
};

const QUIET: Record<string, string> = {
  finished: "had every step",
  no_steps: "in a stage without follow-ups",
  unreachable: "cannot be reached",
  opted_out: "asked for no more messages",
};

export type Waiting = readonly { state: string; count: number }[];

const ordered = <Words>(words: Record<string, Words>, waiting: Waiting) =>
  Object.entries(words).flatMap(([state, said]) => {
    const count = waiting.find((one) => one.state === state)?.count ?? 0;
    return count > 0 ? [{ state, count, words: said }] : [];
  });

/** What holds leads up that have something to come, what a person must see to first. */
export const heldOf = (waiting: Waiting) => ordered(HELD, waiting);
/** Leads to whom nothing is to come by itself, and why. */
export const quietOf = (waiting: Waiting) => ordered(QUIET, waiting);
