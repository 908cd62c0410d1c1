import { childEnd, mapUnits, STATES_A_TURN, unitValue, type Automaton, type UnitMap } from "./keyword-automaton.ts";
import { COMPLEX, DROP, foldOf, SPACE } from "./keyword-text.ts";

/**
 * The transition table of a small automaton, with character folding built in: one lookup per character, without copying the text.
 * A state is the index of its row; states in which a pattern (or a suffix) ends come last.
 */
export type KeywordTable = {
  /** from a state by a column to the next state */
  step: Uint16Array;
  width: number;
  firstEnding: number;
  /** the automaton's state of each row */
  stateOf: Uint16Array;
  /** the column of a folded unit, 0 for one that no pattern holds */
  columns: UnitMap;
  /** the column of a unit as it is written, for those before `NEAR`; may be `DROPPED` or `UNCLEAR` */
  near: Uint8Array;
  spaceColumn: number;
  bytes: number;
};

/** 128 KB of steps: some hundred keywords. */
const MAX_CELLS = 65_536;
/** Latin, Greek, Cyrillic, Hebrew and Arabic letters. */
const NEAR = 0x800;
const UNCLEAR = 255;
const DROPPED = 254;

/** Builds an automaton's table; null if it would be large. */
export function* buildTable(automaton: Automaton): Generator<void, KeywordTable | null> {
  const { stateCount, unitInto, suffixOf, childrenOf, bestFrom } = automaton;
  if (stateCount > MAX_CELLS / 2) return null;
  const units = [...new Set(unitInto.subarray(1))];
  const width = units.length + 1;
  if (stateCount * width > MAX_CELLS || width > DROPPED) return null;
  const columns = mapUnits(units.map((unit, index) => [unit, index + 1] as const));
  const hasEnding = (state: number) => bestFrom[state] !== bestFrom[0];
  const states = Array.from({ length: stateCount }, (_, state) => state);
  const silent = states.filter((state) => !hasEnding(state));
  const stateOf = Uint16Array.from([...silent, ...states.filter(hasEnding)]);
  const rowOf = new Uint16Array(stateCount);
  stateOf.forEach((state, row) => (rowOf[state] = row * width));
  const step = new Uint16Array(stateCount * width);
  for (let state = 0; state < stateCount; state += 1) {
    const row = rowOf[state] as number;
    // A suffix is shorter, so it was filled before.
    const suffix = rowOf[suffixOf[state] as number] as number;
    if (state > 0) step.copyWithin(row, suffix, suffix + width);
    for (let child = childrenOf[state] as number; child < childEnd(automaton, state); child += 1)
      step[row + unitValue(columns, unitInto[child] as number)] = rowOf[child] as number;
    if (state % STATES_A_TURN === 0) yield;
  }
  const near = Uint8Array.from({ length: NEAR }, (_, unit) => columnOf(columns, unit));
  const bytes = [step, stateOf, columns.pages, columns.pageOf, near].reduce((sum, each) => sum + each.byteLength, 0);
  const firstEnding = silent.length * width;
  return { step, width, firstEnding, stateOf, columns, near, spaceColumn: unitValue(columns, SPACE), bytes };
}

/** The automaton's state at a row. */
export const stateAt = ({ stateOf, width }: KeywordTable, row: number): number => stateOf[row / width] as number;

/**
 * The smallest number of a pattern that occurs in a text; `none` if there is none, null if single characters do not decide it.
 * @param isPlain whether a pattern matches anywhere
 */
export function scan(
  table: KeywordTable,
  { bestFrom }: Automaton,
  isPlain: (pattern: number) => boolean,
  text: string,
  none: number,
): number | null {
  const { step, near, firstEnding, spaceColumn, columns } = table;
  let best = none;
  let state = 0;
  let previous = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const column = unit < NEAR ? (near[unit] as number) : columnOf(columns, unit);
    if (column >= DROPPED) {
      if (column === DROPPED) continue;
      return null;
    }
    // Spaces are frequent and irregular: a separate branch for them would cost more than everything else.
    if (column === previous && column === spaceColumn) continue;
    previous = column;
    state = step[state + column] as number;
    if (state < firstEnding) continue;
    const found = bestFrom[stateAt(table, state)] as number;
    if (found >= best) continue;
    if (!isPlain(found)) return null;
    best = found;
  }
  return best;
}

function columnOf(columns: UnitMap, unit: number): number {
  const folded = foldOf(unit);
  if (folded === COMPLEX) return UNCLEAR;
  return folded === DROP ? DROPPED : unitValue(columns, folded);
}
