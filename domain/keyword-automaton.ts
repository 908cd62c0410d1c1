/** A dense Aho-Corasick automaton over UTF-16 code units: one table look-up a character, whatever the number of keywords. */
export type Automaton = {
  step: Int32Array;
  classCount: number;
  /** the column of a code unit; 0 for those in no keyword */
  classOf: Uint16Array;
  /** the smallest pattern number that ends in a state or in one of its suffixes; a large number for none */
  bestFrom: Int32Array;
  /** all patterns that end in a state, suffixes included */
  outputsOf: (state: number) => readonly number[];
};

const NONE = 0x7fffffff;

/**
 * Builds the automaton of non-empty patterns; a pattern's number is its place in the list.
 * Aho and Corasick, "Efficient string matching", CACM 18 (1975), with failure links folded into the table.
 */
export function buildAutomaton(patterns: readonly string[]): Automaton {
  const classOf = new Uint16Array(65_536);
  let classCount = 1;
  for (const pattern of patterns) {
    for (let index = 0; index < pattern.length; index += 1) {
      const unit = pattern.charCodeAt(index);
      if (classOf[unit] === 0) classOf[unit] = classCount++;
    }
  }
  const stateCount = 1 + patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  const step = new Int32Array(stateCount * classCount);
  const outputs: number[][] = [[]];
  let used = 1;
  patterns.forEach((pattern, number) => {
    let state = 0;
    for (let index = 0; index < pattern.length; index += 1) {
      const cell = state * classCount + (classOf[pattern.charCodeAt(index)] as number);
      if (step[cell] === 0) {
        step[cell] = used;
        outputs[used] = [];
        used += 1;
      }
      state = step[cell] as number;
    }
    outputs[state]?.push(number);
  });
  linkFailures(step, classCount, outputs, used);
  const bestFrom = Int32Array.from(outputs, (list) => (list.length === 0 ? NONE : Math.min(...list)));
  return {
    step: step.slice(0, used * classCount),
    classCount,
    classOf,
    bestFrom,
    outputsOf: (state) => outputs[state] ?? [],
  };
}

/** Breadth first: a missing edge takes the edge of the longest proper suffix, whose outputs are inherited. */
function linkFailures(step: Int32Array, classCount: number, outputs: number[][], used: number): void {
  const failure = new Int32Array(used);
  const queue: number[] = [];
  for (let unit = 1; unit < classCount; unit += 1) {
    const next = step[unit] as number;
    if (next !== 0) queue.push(next);
  }
  for (const state of queue) {
    const suffix = failure[state] as number;
    outputs[state]?.push(...(outputs[suffix] ?? []));
    for (let unit = 0; unit < classCount; unit += 1) {
      const cell = state * classCount + unit;
      const next = step[cell] as number;
      const fallback = unit === 0 ? 0 : (step[suffix * classCount + unit] as number);
      if (next === 0) step[cell] = fallback;
      else {
        failure[next] = fallback;
        queue.push(next);
      }
    }
  }
}
