import { foldText } from "./folded-text.ts";
import { isWordUnit, normalizeText } from "./keyword-text.ts";
import { readKeyword } from "./keyword.ts";

/** The position of a keyword in the original text, in UTF-16 units, or null when it does not occur. */
export function placeOfKeyword(text: string, keyword: string): { start: number; length: number } | null {
  const { text: wanted, isQuoted } = readKeyword(keyword);
  const pattern = normalizeText(wanted).trim();
  if (pattern === "") return null;
  const { folded: normal, from, to } = foldText(text, normalizeText);
  const units = Uint16Array.from(normal, (_none, index) => normal.charCodeAt(index));
  for (let at = normal.indexOf(pattern); at >= 0; at = normal.indexOf(pattern, at + 1)) {
    const end = at + pattern.length;
    const isWhole =
      !(at > 0 && isWordUnit(units, at - 1, units.length)) &&
      !(end < units.length && isWordUnit(units, end, units.length));
    if (isQuoted && !isWhole && normal.indexOf(pattern, at + 1) >= 0) continue;
    const start = from[at] ?? 0;
    return { start, length: (to[end - 1] ?? start) - start };
  }
  return null;
}
