import { foldText, type FoldedText } from "./folded-text.ts";

/** Letters that a search treats as equal, as in the database's `search_fold`. */
const VARIANTS = "øłđıςيىكةأإٱ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹";
const LETTERS = "oldiσییکهااا01234567890123456789";
const SAME: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(VARIANTS, (letter, index) => [letter, LETTERS.charAt(index)]),
);
const UNSEEN =
  /[\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\u0640]|[\u{FE00}-\u{FE0F}]|[\u0610-\u061A\u064B-\u065F\u0670]/gu;
const WORD = /[\p{L}\p{M}\p{N}]/u;
const UNSPACED =
  /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u2600-\u27BF\u3005-\u3007\u3040-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{1F000}-\u{1FAFF}\u{20000}-\u{3FFFF}]/u;

/** Folds a text for searching: case, accents and keyboard variants of a letter are ignored. */
function searchFold(text: string): string {
  const plain = text.normalize("NFKC").toLowerCase().replaceAll(UNSEEN, "");
  const letters = Array.from(plain, (letter) =>
    letter === "й" || letter === "ў" ? letter : letter.normalize("NFD").replaceAll(/[\u0300-\u036F]/g, ""),
  );
  return letters
    .map((letter) => SAME[letter] ?? letter)
    .join("")
    .normalize("NFC");
}

/** A range in a text, in UTF-16 units. */
export type Place = { start: number; length: number };

/** Finds a search text anywhere in a name; null if it does not occur. */
export function placeInName(text: string, search: string): Place | null {
  const wanted = searchFold(search.trim()).replaceAll(/\s+/g, " ");
  return wanted === "" ? null : placeOf(foldForSearch(text), wanted, () => true);
}

/** Finds the first word of a search that a text contains, whole or as the beginning of a word; null if there is none. */
export const placeInWords = (text: string, search: string): Place | null =>
  placesInWords(text, search).find((place) => place !== null) ?? null;

/** Finds every word of a search, each whole or as the beginning of a word; null for those that do not occur. */
export function placesInWords(text: string, search: string): (Place | null)[] {
  const pieces: string[] = searchFold(search).match(/[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}+/gu) ?? [];
  const folded = foldForSearch(text);
  return pieces.map((piece) =>
    placeOf(folded, piece, (before) => !WORD.test(before) || UNSPACED.test(before) || UNSPACED.test(piece)),
  );
}

const foldForSearch = (text: string): FoldedText =>
  foldText(text, (cluster) => searchFold(cluster).replaceAll(/\s+/g, " "));

function placeOf(
  { folded, from, to }: FoldedText,
  wanted: string,
  mayFollow: (before: string) => boolean,
): Place | null {
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    if (at > 0 && !mayFollow(Array.from(folded.slice(Math.max(0, at - 2), at)).at(-1) ?? "")) continue;
    const start = from[at] ?? 0;
    return { start, length: (to[at + wanted.length - 1] ?? start) - start };
  }
  return null;
}
