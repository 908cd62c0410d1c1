/** What a screen, or the page, does when it is told; a command that nobody offers now is not listed. */
export type DeedId =
  | "inbox.next"
  | "inbox.previous"
  | "inbox.waiting"
  | "inbox.reply"
  | "inbox.stage"
  | "inbox.done"
  | "sheet.open"
  | "theme.light"
  | "theme.dark"
  | "theme.system"
  | "account.leave";

/** Done by `deed`, or, without one, by its keys alone where they mean something. */
export type Keyed = { name: string; keys: string; deed: DeedId | null };

const keyed = (keys: string, name: string, deed: DeedId | null = null): Keyed => ({ keys, name, deed });

/** The commands that have keys, as the sheet lists them. One character acts by itself, while nothing is being typed. */
export const KEYED: readonly Keyed[] = [
  keyed("j", "Next conversation in the list", "inbox.next"),
  keyed("k", "Conversation before it", "inbox.previous"),
  keyed("e", "Next person waiting", "inbox.waiting"),
  keyed("r", "Reply", "inbox.reply"),
  keyed("Ctrl + Enter", "Send the reply"),
  keyed("s", "Stage", "inbox.stage"),
  keyed("d", "Done: out of Waiting until they write", "inbox.done"),
  keyed("Esc", "Leave the reply box"),
  keyed("Ctrl + K", "Find people, screens and actions"),
  keyed("?", "This sheet", "sheet.open"),
];

/** The deed behind one character; null where it has none. */
export const deedOfKey = (key: string): DeedId | null => KEYED.find(({ keys }) => keys === key)?.deed ?? null;
