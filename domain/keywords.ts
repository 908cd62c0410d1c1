import { buildAutomaton, type Automaton } from "./keyword-automaton.ts";
import { isIgnoredKeyword, readKeyword } from "./keyword.ts";
import { codeUnitsOf, isWordUnit, normalizeText } from "./keyword-text.ts";

export type StageKeywords = { id: string; order: number; keywords: readonly string[] };
export type StageMatch = { stageId: string; order: number; keyword: string };
export type StageMatcher = {
  /** The stage of the highest order that a keyword in the text names, or null. The first stage never matches. */
  match(text: string): StageMatch | null;
};

type Pattern = { units: string; isQuoted: boolean; isUnspaced: boolean; match: StageMatch };

/** Scripts written without spaces between words; a quoted keyword in them ends where a segmenter sees a word end. */
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Compiles a stage set once for many messages. Unquoted keywords match anywhere, quoted ones as whole words or phrases; case,
 * width, zero-width characters and runs of white space do not matter. Empty keywords and unquoted single characters match
 * nothing. No keyword is ever a regular expression.
 */
export function compileStageMatcher(stages: readonly StageKeywords[]): StageMatcher {
  const patterns = patternsOf(stages);
  if (patterns.length === 0) return { match: () => null };
  const automaton = buildAutomaton(patterns.map(({ units }) => units));
  return { match: (text) => firstMatch(automaton, patterns, text) };
}

/** Patterns in the order in which they win: highest stage first, within it as the seller wrote them. */
function patternsOf(stages: readonly StageKeywords[]): Pattern[] {
  const [, ...later] = stages.toSorted((a, b) => a.order - b.order);
  const seen = new Set<string>();
  return later.toReversed().flatMap((stage) =>
    stage.keywords.flatMap((keyword) => {
      const { text, isQuoted } = readKeyword(keyword);
      const units = normalizeText(text).trim();
      const key = `${isQuoted} ${units}`;
      if (isIgnoredKeyword(keyword) || seen.has(key)) return [];
      seen.add(key);
      return [
        {
          units,
          isQuoted,
          isUnspaced: isQuoted && unspacedScript.test(units),
          match: { stageId: stage.id, order: stage.order, keyword },
        },
      ];
    }),
  );
}

function firstMatch(automaton: Automaton, patterns: readonly Pattern[], text: string): StageMatch | null {
  const { units, length } = codeUnitsOf(text);
  const { step, classOf, classCount, bestFrom, outputsOf } = automaton;
  let best = patterns.length;
  let boundaries: Set<number> | null = null;
  let state = 0;
  for (let index = 0; index < length; index += 1) {
    state = step[state * classCount + (classOf[units[index] as number] as number)] as number;
    if ((bestFrom[state] as number) >= best) continue;
    for (const candidate of outputsOf(state)) {
      if (candidate >= best) continue;
      const pattern = patterns[candidate] as Pattern;
      const start = index + 1 - pattern.units.length;
      if (pattern.isUnspaced) boundaries ??= wordBoundaries(units, length);
      if (!pattern.isQuoted || isWhole(units, length, start, index + 1, pattern.isUnspaced ? boundaries : null))
        best = candidate;
    }
    if (best === 0) break;
  }
  return patterns[best]?.match ?? null;
}

function isWhole(
  units: Uint16Array,
  length: number,
  start: number,
  end: number,
  boundaries: Set<number> | null,
): boolean {
  if (boundaries !== null) return boundaries.has(start) && boundaries.has(end);
  return !(start > 0 && isWordUnit(units, start - 1, length)) && !(end < length && isWordUnit(units, end, length));
}

function wordBoundaries(units: Uint16Array, length: number): Set<number> {
  const text = String.fromCharCode(...units.subarray(0, length));
  const boundaries = new Set([0, length]);
  for (const { index } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)) boundaries.add(index);
  return boundaries;
}
