import { normalizeText } from "./keyword-text.ts";

/** Longer messages are no single word: a word has 64 characters at most, and a few more as it is typed. */
const LONGEST = 256;

/** True for a message that is nothing but one of the words: whatever its case, its spaces around and how its characters are composed. */
export function isOptOut(text: string, words: readonly string[]): boolean {
  if (text.length > LONGEST) return false;
  const said = normalizeText(text).trim();
  return said !== "" && words.some((word) => normalizeText(word).trim() === said);
}
