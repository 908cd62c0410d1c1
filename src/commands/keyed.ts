import { msg } from "@lingui/core/runtime-macro";
import type { UiText } from "../../domain/ui-text.ts";

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
export type Keyed = { name: UiText; keys: string; deed: DeedId | null };

const keyed = (keys: string, name: UiText, deed: DeedId | null = null): Keyed => ({ keys, name, deed });

/** The commands that have keys, as the sheet lists them. One character acts by itself, while nothing is being typed. */
export const KEYED: readonly Keyed[] = [
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

/** The deed behind one character; null where it has none. */
export const deedOfKey = (key: string): DeedId | null => KEYED.find(({ keys }) => keys === key)?.deed ?? null;

export type Deeds = Partial<Record<DeedId, () => void>>;

const offered: Deeds[] = [];

/** Tells what the screen that is shown can do, until it is left; returns what ends it. */
export function offerDeeds(deeds: Deeds): () => void {
  offered.unshift(deeds);
  return () => {
    const place = offered.indexOf(deeds);
    if (place !== -1) offered.splice(place, 1);
  };
}

/** How a deed is done now, by who offered it last; null where nobody does. */
export const offeredDeed = (id: DeedId): (() => void) | null => offered.find((deeds) => deeds[id])?.[id] ?? null;
