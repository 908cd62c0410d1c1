import type { MatchedKeyword } from "../../../domain/message.ts";
import type { LinkFinder } from "./links.ts";

/** A part of a text, its link, and whether it is the matched keyword. */
export type Piece = { text: string; href: string | null; isMatched: boolean };

const SAFE = /^(https?:\/\/|mailto:)/i;

/** Splits a text at its links and its matched keyword. Only web and email addresses become links. */
export function piecesOf(
  text: string,
  matched: Pick<MatchedKeyword, "start" | "length"> | null,
  find: LinkFinder | null,
): Piece[] {
  const links = (find !== null && /[.:@]/.test(text) ? find(text) : []).filter(({ url }) => SAFE.test(url));
  const marks = matched === null ? [] : [{ from: matched.start, to: matched.start + matched.length }];
  const cuts = [
    0,
    text.length,
    ...links.flatMap((link) => [link.index, link.lastIndex]),
    ...marks.flatMap(({ from, to }) => [from, to]),
  ]
    .filter((cut) => cut >= 0 && cut <= text.length)
    .toSorted((a, b) => a - b);
  return cuts.flatMap((from, place) => {
    const to = cuts[place + 1] ?? from;
    if (to <= from) return [];
    return [
      {
        text: text.slice(from, to),
        href: links.find((link) => link.index <= from && to <= link.lastIndex)?.url ?? null,
        isMatched: marks.some((mark) => mark.from <= from && to <= mark.to),
      },
    ];
  });
}
