/**
 * An Aho-Corasick automaton over UTF-16 code units. States are numbered breadth first, so that the children of a state are side by
 * side and an edge costs two bytes.
 * Aho and Corasick, "Efficient string matching", CACM 18 (1975).
 */
export type Automaton = {
  stateCount: number;
  /** the root's edges, by unit; 0 for none */
  root: UnitMap;
  /** where a state's children begin; those of the last one end at the last entry */
  childrenOf: Int32Array;
  /** the unit of the edge that leads into a state */
  unitInto: Uint16Array;
  /** the state of the longest proper suffix */
  suffixOf: Int32Array;
  /** the smallest pattern number that ends in a state or in one of its suffixes; a large number for none */
  bestFrom: Int32Array;
  /** the next suffix in which a pattern ends; 0 for none */
  nextEnding: Int32Array;
  /** pattern numbers that end in a state itself, chained by `nextSame`; -1 for none */
  firstEnding: Int32Array;
  nextSame: Int32Array;
  bytes: number;
};

/** A number for each code unit, 0 unless set; kept in pages of 256, as a language uses few of them. */
export type UnitMap = { pageOf: Uint8Array; pages: Int32Array };

const NONE = 0x7fffffff;
export const STATES_A_TURN = 2_000;

/**
 * Builds the automaton of non-empty patterns; a pattern's number is its position in the list. Yields often, so that a caller who builds a large one
 * can let other work run in between.
 */
export function* buildAutomaton(patterns: readonly string[]): Generator<void, Automaton> {
  const trie = yield* buildTrie(patterns);
  const { stateCount, childrenOf, unitInto } = trie;
  const root = mapUnits(
    Array.from({ length: childEnd(trie, 0) - 1 }, (_, index) => [unitInto[index + 1] as number, index + 1] as const),
  );
  const automaton: Automaton = {
    ...trie,
    root,
    suffixOf: new Int32Array(stateCount),
    bestFrom: new Int32Array(stateCount).fill(NONE),
    nextEnding: new Int32Array(stateCount),
    bytes: 0,
  };
  const { suffixOf, bestFrom, nextEnding, firstEnding, nextSame } = automaton;
  for (let state = 0; state < stateCount; state += 1) {
    for (let pattern = firstEnding[state] as number; pattern >= 0; pattern = nextSame[pattern] as number)
      bestFrom[state] = Math.min(bestFrom[state] as number, pattern);
    if (state > 0) {
      const suffix = suffixOf[state] as number;
      bestFrom[state] = Math.min(bestFrom[state] as number, bestFrom[suffix] as number);
      nextEnding[state] = (firstEnding[suffix] as number) >= 0 ? suffix : (nextEnding[suffix] as number);
    }
    for (let child = childrenOf[state] as number; child < childEnd(trie, state); child += 1)
      suffixOf[child] = state === 0 ? 0 : stepFrom(automaton, suffixOf[state] as number, unitInto[child] as number);
    if (state % STATES_A_TURN === 0) yield;
  }
  automaton.bytes = bytesOf(automaton);
  return automaton;
}

/** The state after a unit, by edges and suffixes. */
export function stepFrom(automaton: Automaton, from: number, unit: number): number {
  for (let state = from; state !== 0; state = automaton.suffixOf[state] as number) {
    const child = childBy(automaton, state, unit);
    if (child !== 0) return child;
  }
  return unitValue(automaton.root, unit);
}

export const unitValue = ({ pageOf, pages }: UnitMap, unit: number): number =>
  pages[((pageOf[unit >> 8] as number) << 8) | (unit & 255)] as number;

type Trie = Pick<Automaton, "stateCount" | "childrenOf" | "unitInto" | "firstEnding" | "nextSame">;

export const childEnd = ({ childrenOf }: Pick<Automaton, "childrenOf">, state: number): number =>
  childrenOf[state + 1] as number;

/** Children are in the order of their units. */
function childBy(automaton: Automaton, state: number, unit: number): number {
  const { childrenOf, unitInto } = automaton;
  let low = childrenOf[state] as number;
  let high = childrenOf[state + 1] as number;
  while (low < high) {
    const middle = (low + high) >> 1;
    const there = unitInto[middle] as number;
    if (there === unit) return middle;
    if (there < unit) low = middle + 1;
    else high = middle;
  }
  return 0;
}

/** A range of the sorted patterns that share a prefix is a state; its children are the ranges by the next unit. */
function* buildTrie(patterns: readonly string[]): Generator<void, Trie> {
  const sorted = patterns
    .map((_, number) => number)
    .toSorted((a, b) => compare(patterns[a] as string, patterns[b] as string));
  yield;
  const most = 1 + patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  const childrenOf = new Int32Array(most + 1);
  const unitInto = new Uint16Array(most);
  const firstEnding = new Int32Array(most).fill(-1);
  const nextSame = new Int32Array(patterns.length).fill(-1);
  const start = new Int32Array(most);
  const end = new Int32Array(most);
  const depth = new Uint16Array(most);
  end[0] = sorted.length;
  let stateCount = 1;
  for (let state = 0; state < stateCount; state += 1) {
    childrenOf[state] = stateCount;
    const at = depth[state] as number;
    let place = start[state] as number;
    const last = end[state] as number;
    for (; place < last && (patterns[sorted[place] as number] as string).length === at; place += 1) {
      const pattern = sorted[place] as number;
      nextSame[pattern] = firstEnding[state] as number;
      firstEnding[state] = pattern;
    }
    while (place < last) {
      const unit = (patterns[sorted[place] as number] as string).charCodeAt(at);
      start[stateCount] = place;
      while (place < last && (patterns[sorted[place] as number] as string).charCodeAt(at) === unit) place += 1;
      end[stateCount] = place;
      unitInto[stateCount] = unit;
      depth[stateCount] = at + 1;
      stateCount += 1;
    }
    if (state % STATES_A_TURN === 0) yield;
  }
  childrenOf[stateCount] = stateCount;
  return {
    stateCount,
    childrenOf: childrenOf.slice(0, stateCount + 1),
    unitInto: unitInto.slice(0, stateCount),
    firstEnding: firstEnding.slice(0, stateCount),
    nextSame,
  };
}

/** By code units, a prefix first: as the trie takes them. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function mapUnits(entries: readonly (readonly [unit: number, value: number])[]): UnitMap {
  const pageOf = new Uint8Array(256);
  const used = [...new Set(entries.map(([unit]) => unit >> 8))];
  const isWhole = used.length === 256;
  used.forEach((page, index) => (pageOf[page] = isWhole ? index : index + 1));
  const pages = new Int32Array((isWhole ? 256 : used.length + 1) * 256);
  for (const [unit, value] of entries) pages[((pageOf[unit >> 8] as number) << 8) | (unit & 255)] = value;
  return { pageOf, pages };
}

function bytesOf({
  root,
  childrenOf,
  unitInto,
  suffixOf,
  bestFrom,
  nextEnding,
  firstEnding,
  nextSame,
}: Automaton): number {
  const arrays = [childrenOf, unitInto, suffixOf, bestFrom, nextEnding, firstEnding, nextSame, root.pages, root.pageOf];
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
