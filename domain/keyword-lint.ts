import { buildAutomaton, stepFrom } from "./keyword-automaton.ts";
import { msg, plural } from "@lingui/core/runtime-macro";
import { LAB_MAX_LISTED, type KeywordOverlap, type KeywordWarning } from "./keyword-lab.ts";
import { normalizeText } from "./keyword-text.ts";
import { ignoredMessage, isIgnoredKeyword, readKeyword } from "./keyword.ts";
import { isUnspacedScript, type StageKeywords } from "./keywords.ts";
import type { UiText, UiTextOrString } from "./ui-text.ts";

const wordCharacter = /[\p{L}\p{M}\p{N}_]/u;
const SHORT = 3;

type Read = { keyword: string; units: string; isQuoted: boolean; stage: string; order: number };

function readAll(stages: readonly StageKeywords[]): Read[] {
  return stages.flatMap(({ id, order, keywords }) => {
    const seen = new Set<string>();
    return keywords.flatMap((keyword) => {
      const { text, isQuoted } = readKeyword(keyword);
      const units = normalizeText(text).trim();
      const key = `${isQuoted} ${units}`;
      if (isIgnoredKeyword(keyword) || seen.has(key)) return [];
      seen.add(key);
      return [{ keyword: text, units, isQuoted, stage: id, order }];
    });
  });
}

/**
 * Finds keywords of different stages that are equal, or of which one contains the other: a message with the longer one names both stages, and the
 * later stage wins. The first of a pair is the longer one; of two equal ones, the later stage's.
 */
export function overlapsOf(stages: readonly StageKeywords[]): { overlaps: KeywordOverlap[]; total: number } {
  const all = readAll(stages);
  const overlaps: KeywordOverlap[] = [];
  let total = 0;
  const add = (long: Read, other: Read, kind: KeywordOverlap["kind"]) => {
    total += 1;
    if (overlaps.length < LAB_MAX_LISTED)
      overlaps.push({ keyword: long.keyword, stage: long.stage, other: other.keyword, other_stage: other.stage, kind });
  };
  if (all.length === 0) return { overlaps, total };
  const automaton = buildWhole(all.map(({ units }) => units));
  all.forEach((long, place) => {
    const seen = new Set<number>([place]);
    let state = 0;
    for (let index = 0; index < long.units.length; index += 1) {
      state = stepFrom(automaton, state, long.units.charCodeAt(index));
      for (let ending = state; ending !== 0; ending = automaton.nextEnding[ending] as number) {
        for (let at = automaton.firstEnding[ending] as number; at >= 0; at = automaton.nextSame[at] as number) {
          if (seen.has(at)) continue;
          const other = all[at] as Read;
          if (other.isQuoted && !isWholeWord(long.units, index + 1 - other.units.length, index + 1)) continue;
          seen.add(at);
          if (other.stage === long.stage) continue;
          if (other.units !== long.units) add(long, other, "contains");
          else if (long.order > other.order || (long.order === other.order && place < at)) add(long, other, "same");
        }
      }
    }
  });
  return { overlaps, total };
}

function buildWhole(patterns: string[]) {
  const building = buildAutomaton(patterns);
  for (;;) {
    const turn = building.next();
    if (turn.done === true) return turn.value;
  }
}

const isWholeWord = (text: string, start: number, end: number): boolean =>
  !wordCharacter.test(characterBefore(text, start)) && !wordCharacter.test(characterAt(text, end));

const characterAt = (text: string, at: number): string =>
  at >= text.length ? "" : String.fromCodePoint(text.codePointAt(at) ?? 0);
function characterBefore(text: string, at: number): string {
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(at - 1)) && at > 1;
  return isPair ? text.slice(at - 2, at) : text.slice(Math.max(0, at - 1), at);
}

/** Warnings that need no messages. Keywords of the first stage move no lead, so only their spelling is checked. */
export function warningsOf(stages: readonly StageKeywords[]): Omit<KeywordWarning, "words">[] {
  const [first] = stages.toSorted((a, b) => a.order - b.order);
  return stages.flatMap(({ id, keywords }) =>
    [...new Set(keywords)].flatMap((keyword) => {
      const { text, isQuoted } = readKeyword(keyword);
      const fact = { keyword: text, stage: id };
      if (isIgnoredKeyword(keyword)) return [{ ...fact, code: "ignored", words_params: { keyword } }];
      const mixed = mixedWord(text);
      const warnings: Omit<KeywordWarning, "words">[] = [];
      if (mixed !== null) warnings.push({ ...fact, code: "mixed_scripts", words_params: mixed });
      if (id !== first?.id && !isQuoted && isVeryShort(text))
        warnings.push({ ...fact, code: "short", words_params: { keyword: text } });
      return warnings;
    }),
  );
}

/** Two letters of a script with spaces between words. */
const isVeryShort = (text: string): boolean =>
  /^\p{L}\p{M}*\p{L}\p{M}*$/u.test(normalizeText(text).trim()) && !isUnspacedScript(text);

/**
 * The longer word, in lower case, that contains an unquoted keyword in its middle; null when the keyword begins a word
 * anywhere in the text: endings are intended. For a keyword of up to three letters, the beginning of a longer word counts too.
 */
export function insideWord(text: string, keyword: string): string | null {
  const { text: wanted, isQuoted } = readKeyword(keyword);
  const pattern = normalizeText(wanted).trim();
  if (isQuoted || !wordCharacter.test(characterAt(pattern, 0)) || isUnspacedScript(pattern)) return null;
  const normal = normalizeText(text);
  let word: string | null = null;
  for (let at = normal.indexOf(pattern); at >= 0; at = normal.indexOf(pattern, at + 1)) {
    const before = lastWordPart(normal.slice(Math.max(0, at - 40), at));
    const after = /^[\p{L}\p{M}\p{N}_]*/u.exec(normal.slice(at + pattern.length, at + pattern.length + 40))?.[0] ?? "";
    const isInside = before !== "" || (pattern.length <= SHORT && after.length > 1);
    if (!isInside) return null;
    word ??= before + pattern + after;
  }
  return word;
}

const lastWordPart = (text: string): string => /[\p{L}\p{M}\p{N}_]*$/u.exec(text)?.[0] ?? "";

const SCRIPTS = [
  { name: "Latin", letter: /\p{Script=Latin}/u, alike: "aAbBcCdDeEgGhHiIjJkKlmMnNoOpPqQrsStTuUvVwxXyYzZ" },
  { name: "Cyrillic", letter: /\p{Script=Cyrillic}/u, alike: "аАВсСԁеЕԍһНіІјЈкКӏмМпоОрРԛгѕЅтТуУѵԝхХ" },
  { name: "Greek", letter: /\p{Script=Greek}/u, alike: "αΑΒεΕΗιΙκΚΜνΝοΟρΡτΤυΥχΧΖγ" },
] as const;
type Script = (typeof SCRIPTS)[number]["name"];
type Mixed = { word: string; letter: string; script: Script; other: Script };

/** The first word that mixes scripts where all letters of the rarer one look like letters of the other: probably a typo. */
function mixedWord(keyword: string): Mixed | null {
  for (const word of keyword.normalize("NFC").match(/[\p{L}\p{M}]+/gu) ?? []) {
    const parts = SCRIPTS.map(({ name, letter, alike }) => ({
      name,
      alike,
      letters: Array.from(word).filter((character) => letter.test(character)),
    }))
      .filter(({ letters }) => letters.length > 0)
      .toSorted((a, b) => a.letters.length - b.letters.length);
    const [rare, ...others] = parts;
    const main = others.at(-1);
    const [letter] = rare?.letters ?? [];
    if (rare === undefined || main === undefined || letter === undefined) continue;
    if (rare.letters.length < main.letters.length && rare.letters.every((character) => rare.alike.includes(character)))
      return { word, letter, script: rare.name, other: main.name };
  }
  return null;
}

const SCRIPT_NAMES: Record<Mixed["script"], UiText> = {
  Latin: msg({ message: "Latin", comment: "An alphabet, in 'its “a” is Latin'." }),
  Cyrillic: msg({ message: "Cyrillic", comment: "An alphabet, in 'its “a” is Cyrillic'." }),
  Greek: msg({ message: "Greek", comment: "An alphabet, in 'its “a” is Greek'." }),
};

type WarningParams = Mixed & { keyword: string; times: number };

/** Returns the text of a warning, or the server's English where it sent no parameters. */
export function keywordWarningMessage({
  code,
  words,
  words_params: params,
}: Pick<KeywordWarning, "code" | "words_params"> & { words?: string }): UiTextOrString {
  if (params === undefined) return words ?? "";
  const { keyword, word, times, letter, script, other } = params as Partial<WarningParams> as WarningParams;
  switch (code) {
    case "ignored":
      return ignoredMessage(keyword);
    case "short":
      return msg`“${{ keyword }}” is so short that it occurs inside many words. Put it in quotes to match it as a whole word.`;
    case "inside_words":
      return times > 1
        ? msg`“${{ keyword }}” was found inside longer words, such as “${{ word }}” (${plural({ times }, { one: "# time", other: "# times" })}). Put it in quotes to match it as a whole word.`
        : msg`“${{ keyword }}” was found inside longer words, such as “${{ word }}”. Put it in quotes to match it as a whole word.`;
    default:
      return msg`“${{ word }}” mixes letters that look alike: its “${{ letter }}” is ${{ script: SCRIPT_NAMES[script] }}, other letters are ${{ other: SCRIPT_NAMES[other] }}. People who type it in one alphabet are not found; type it again.`;
  }
}
