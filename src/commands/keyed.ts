import { msg } from "@lingui/core/runtime-macro";
import type { UiText } from "../../domain/ui-text.ts";

/** An action that a screen or the page performs. A command without a registered handler is not listed. */
export type ActionId =
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

/** A command. It runs `action`; without one, its keys work on some screens only. */
export type Shortcut = { name: UiText; keys: string; action: ActionId | null };

const keyed = (keys: string, name: UiText, action: ActionId | null = null): Shortcut => ({ keys, name, action });

/** The commands with keyboard shortcuts, in the order of the list of shortcuts. A single character works only outside of text fields. */
export const SHORTCUTS: readonly Shortcut[] = [
  keyed("j", msg`Next conversation in the list`, "inbox.next"),
  keyed("k", msg`Previous conversation in the list`, "inbox.previous"),
  keyed("e", msg`Next person waiting`, "inbox.waiting"),
  keyed("r", msg`Reply`, "inbox.reply"),
  keyed("Ctrl + Enter", msg`Send the reply`),
  keyed("s", msg({ message: "Stage", comment: "Opens the choice of a stage for the conversation." }), "inbox.stage"),
  keyed("d", msg`Mark done until they write again`, "inbox.done"),
  keyed("Esc", msg`Leave the reply box`),
  keyed("Ctrl + K", msg`Find people, screens and actions`),
  keyed("?", msg`This sheet`, "sheet.open"),
];

/** Returns the action of a character; null if it has none. */
export const actionOfKey = (key: string): ActionId | null => SHORTCUTS.find(({ keys }) => keys === key)?.action ?? null;

export type Actions = Partial<Record<ActionId, () => void>>;

const offered: Actions[] = [];

/** Registers the actions of the current screen. Returns a function that removes them. */
export function registerActions(actions: Actions): () => void {
  offered.unshift(actions);
  return () => {
    const place = offered.indexOf(actions);
    if (place !== -1) offered.splice(place, 1);
  };
}

/** Returns the handler registered last for an action; null without one. */
export const registeredAction = (id: ActionId): (() => void) | null =>
  offered.find((actions) => actions[id])?.[id] ?? null;
