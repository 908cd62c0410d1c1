import type { UiText } from "../../domain/ui-text.ts";
import { COMMANDS, type Command } from "./commands.ts";

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** How well a text fits what is typed: 0 begins with it, 1 a word of it does, 2 holds all words of it; null does not. */
export function fitOf(text: string, typed: string, also = ""): number | null {
  const lower = text.toLowerCase();
  const sought = typed.trim().toLowerCase();
  if (sought === "" || lower.startsWith(sought)) return 0;
  if (wordsOf(lower).some((word) => word.startsWith(sought))) return 1;
  const all = `${lower} ${also.toLowerCase()}`;
  return wordsOf(sought).every((word) => all.includes(word)) ? 2 : null;
}

/** The best first; what fits alike keeps its order. */
export function bestFits<Item>(items: readonly Item[], fit: (item: Item) => number | null): Item[] {
  return items
    .flatMap((item) => {
      const rank = fit(item);
      return rank === null ? [] : [{ item, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** Returns the commands that can be chosen now and fit what is typed, with their names in the language of `translate`. */
export const findCommands = (
  typed: string,
  isOffered: (command: Command) => boolean,
  translate: (text: UiText) => string,
): { command: Command; name: string }[] =>
  bestFits(
    COMMANDS.filter(isOffered).map((command) => ({ command, name: translate(command.name) })),
    ({ command, name }) => fitOf(name, typed, command.also),
  );
