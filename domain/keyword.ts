import { msg } from "@lingui/core/runtime-macro";
import { normalizeText } from "./keyword-text.ts";
import type { UiText } from "./ui-text.ts";

/** Returns a keyword without its quotes, and whether it had them: straight quotes, or those that phones and word processors type. */
export function readKeyword(keyword: string): { text: string; isQuoted: boolean } {
  const quoted = /^["“”„«»](.*)["“”„«»]$/s.exec(keyword.trim());
  return quoted === null
    ? { text: keyword.trim(), isQuoted: false }
    : { text: (quoted[1] ?? "").trim(), isQuoted: true };
}

/**
 * True for a keyword that never matches: an empty one, and an unquoted single character, which would occur
 * in nearly every message. In quotes a single character matches as a word.
 */
export function isIgnoredKeyword(keyword: string): boolean {
  const { text, isQuoted } = readKeyword(keyword);
  const characters = Array.from(normalizeText(text).trim()).length;
  return characters === 0 || (characters === 1 && !isQuoted);
}

/** Maximum total length of a user's keywords; the cost of matching grows with it. */
export const KEYWORDS_TOTAL_MAX_CHARS = 100_000;

/** Total length of keywords as they are searched for. */
export const keywordChars = (keywords: readonly string[]): number =>
  keywords.reduce((sum, keyword) => sum + normalizeText(readKeyword(keyword).text).length, 0);

/** Returns warnings about saved keywords that never match, one sentence each. */
export const keywordWarnings = (keywords: readonly string[]): UiText[] =>
  keywords.filter(isIgnoredKeyword).map(ignoredMessage);

/** Returns why a keyword never matches. */
export const ignoredMessage = (keyword: string): UiText =>
  normalizeText(readKeyword(keyword).text).trim() === ""
    ? msg`The keyword ${{ keyword }} is empty and is ignored.`
    : msg`The keyword ${{ keyword }} is too short and is ignored: put it in quotes to match it as a word.`;
