import { isWordUnit, normalizeText } from "./keyword-text.ts";
import { readKeyword } from "./keyword.ts";

/**
 * The position of a keyword in the original text, in UTF-16 units, or null when it does not occur. The text is normalised
 * by grapheme cluster (normalisation never joins two), so that each normalised unit maps to its origin.
 */
export function placeOfKeyword(text: string, keyword: string): { start: number; length: number } | null {
  const { text: wanted, isQuoted } = readKeyword(keyword);
  const pattern = normalizeText(wanted).trim();
  if (pattern === "") return null;
  const { normal, from, to } = normalizedWithPlaces(text);
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

function normalizedWithPlaces(text: string): { normal: string; from: number[]; to: number[] } {
  let normal = "";
  const from: number[] = [];
  const to: number[] = [];
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
    let piece = normalizeText(segment);
    if (normal.endsWith(" ") && piece.startsWith(" ")) piece = piece.slice(1);
    normal += piece;
    for (let unit = 0; unit < piece.length; unit += 1) {
      from.push(index);
      to.push(index + segment.length);
    }
  }
  return { normal, from, to };
}
