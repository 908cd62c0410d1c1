import { buildAutomaton, stepFrom, unitValue, type Automaton } from "./keyword-automaton.ts";
import { isIgnoredKeyword, readKeyword } from "./keyword.ts";
import { buildTable, scan, stateAt, type KeywordTable } from "./keyword-table.ts";
import { codeUnitsOf, isWordUnit, normalizeText } from "./keyword-text.ts";

export type StageKeywords = { id: string; order: number; keywords: readonly string[] };
export type StageMatch = { stageId: string; order: number; keyword: string };
export type StageMatcher = {
  /** The stage of the highest order that a keyword in the text names, or null. The first stage never matches. */
  match(text: string): StageMatch | null;
  /** its approximate memory use */
  bytes: number;
};

type Pattern = { units: string; isQuoted: boolean; isUnspaced: boolean; match: StageMatch };

const KEYWORDS_A_TURN = 200;
const MATCHER_BYTES = 1_000;
const PATTERN_BYTES = 200;

/** Scripts written without spaces between words; a quoted keyword in them ends where a segmenter sees a word end. */
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export const isUnspacedScript = (text: string): boolean => unspacedScript.test(text);

/**
 * Compiles a stage set once for many messages. Unquoted keywords match anywhere, quoted ones as whole words or phrases; case,
 * width, zero-width characters and runs of white space do not matter. Empty keywords and unquoted single characters match
 * nothing. No keyword is ever a regular expression.
 */
export function compileStageMatcher(stages: readonly StageKeywords[]): StageMatcher {
  const compiling = compileInSteps(stages);
  for (;;) {
    const turn = compiling.next();
    if (turn.done === true) return turn.value;
  }
}

/** The same in steps of under a millisecond, so that the caller can let other work run in between. */
export function* compileInSteps(stages: readonly StageKeywords[]): Generator<void, StageMatcher> {
  const patterns = yield* patternsOf(stages);
  if (patterns.length === 0) return { bytes: MATCHER_BYTES, match: () => null };
  const automaton = yield* buildAutomaton(patterns.map(({ units }) => units));
  const table = yield* buildTable(automaton);
  const bytes =
    MATCHER_BYTES +
    automaton.bytes +
    (table?.bytes ?? 0) +
    patterns.reduce((sum, { units, match }) => sum + PATTERN_BYTES + 2 * (units.length + match.keyword.length), 0);
  const isPlain = (pattern: number) => !(patterns[pattern] as Pattern).isQuoted;
  const find = (text: string): number => {
    const found = table === null ? null : scan(table, automaton, isPlain, text, patterns.length);
    return found ?? firstMatch(automaton, table, patterns, text);
  };
  return { bytes, match: (text) => patterns[find(text)]?.match ?? null };
}

/** Patterns by precedence: highest stage first, then as the user wrote them. */
function* patternsOf(stages: readonly StageKeywords[]): Generator<void, Pattern[]> {
  const [, ...later] = stages.toSorted((a, b) => a.order - b.order);
  const seen = new Set<string>();
  const patterns: Pattern[] = [];
  let read = 0;
  for (const stage of later.toReversed()) {
    for (const keyword of stage.keywords) {
      if ((read += 1) % KEYWORDS_A_TURN === 0) yield;
      const { text, isQuoted } = readKeyword(keyword);
      const units = normalizeText(text).trim();
      const key = `${isQuoted} ${units}`;
      if (isIgnoredKeyword(keyword) || seen.has(key)) continue;
      seen.add(key);
      const isUnspaced = isQuoted && isUnspacedScript(units);
      patterns.push({ units, isQuoted, isUnspaced, match: { stageId: stage.id, order: stage.order, keyword } });
    }
  }
  return patterns;
}

/** The number of the winning pattern; the number of patterns if none matches. */
function firstMatch(
  automaton: Automaton,
  table: KeywordTable | null,
  patterns: readonly Pattern[],
  text: string,
): number {
  const { units, length } = codeUnitsOf(text);
  const { bestFrom } = automaton;
  let best = patterns.length;
  let row = 0;
  boundaries = null;
  for (let index = 0; index < length; index += 1) {
    const unit = units[index] as number;
    if (table === null) row = stepFrom(automaton, row, unit);
    else row = table.step[row + unitValue(table.columns, unit)] as number;
    if (table !== null && row < table.firstEnding) continue;
    const state = table === null ? row : stateAt(table, row);
    if ((bestFrom[state] as number) >= best) continue;
    best = bestEnding(automaton, patterns, { state, index, length, best }, units);
    if (best === 0) break;
  }
  return best;
}

/** The winning pattern among `best` and those that match and end at a position. */
function bestEnding(
  { firstEnding, nextEnding, nextSame }: Automaton,
  patterns: readonly Pattern[],
  { state, index, length, best }: { state: number; index: number; length: number; best: number },
  units: Uint16Array,
): number {
  let found = best;
  let ending = state;
  do {
    for (let at = firstEnding[ending] as number; at >= 0; at = nextSame[at] as number) {
      if (at >= found) continue;
      const pattern = patterns[at] as Pattern;
      const start = index + 1 - pattern.units.length;
      if (pattern.isUnspaced) boundaries ??= wordBoundaries(units, length);
      if (!pattern.isQuoted || isWhole(units, length, start, index + 1, pattern.isUnspaced ? boundaries : null))
        found = at;
    }
    ending = nextEnding[ending] as number;
  } while (ending !== 0);
  return found;
}

/** The word ends of the current text, once computed. */
let boundaries: Set<number> | null = null;

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
