import type { UiText } from "../../domain/ui-text.ts";
import { COMMANDS, type Command } from "./commands.ts";

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Returns how well a text matches the query: 0 starts with it, 1 has a word that starts with it, 2 contains all its words; null does not
 * match.
 */
export function matchRank(text: string, typed: string, also = ""): number | null {
  const lower = text.toLowerCase();
  const sought = typed.trim().toLowerCase();
  if (sought === "" || lower.startsWith(sought)) return 0;
  if (wordsOf(lower).some((word) => word.startsWith(sought))) return 1;
  const all = `${lower} ${also.toLowerCase()}`;
  return wordsOf(sought).every((word) => all.includes(word)) ? 2 : null;
}

/** Returns the matching items, best first; equal matches keep their order. */
export function bestMatches<Item>(items: readonly Item[], fit: (item: Item) => number | null): Item[] {
  return items
    .flatMap((item) => {
      const rank = fit(item);
      return rank === null ? [] : [{ item, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** Returns the commands that are available now and match the query, with their names in the language of `translate`. */
export const findCommands = (
  typed: string,
  isOffered: (command: Command) => boolean,
  translate: (text: UiText) => string,
): { command: Command; name: string }[] =>
  bestMatches(
    COMMANDS.filter(isOffered).map((command) => ({ command, name: translate(command.name) })),
    ({ command, name }) => matchRank(name, typed, command.also),
  );
