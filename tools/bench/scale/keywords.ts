import { setImmediate as nextTurn } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";
import { compileInSteps, compileStageMatcher } from "../../../domain/keywords.ts";
import { randomStream } from "../../../tests/support/seed.ts";
import { benchMatching } from "../matching.ts";
import { atLeast, atMost, type Topic } from "./topic.ts";

const STAGES = 30;
const PHRASES = 200;
const CHARACTERS = 100_000;
const FIRST_HAN = 0x4e00;
const HAN = 20_000;

/** Rules of 100,000 Han characters: the longest slice of compiling them, their memory, and the speed of matching. */
export const keywords: Topic = {
  name: "keywords",
  async measure({ print }) {
    const random = randomStream(3);
    const each = Math.floor(CHARACTERS / (STAGES * PHRASES));
    const phrase = () =>
      Array.from({ length: each }, () => String.fromCodePoint(FIRST_HAN + Math.floor(random() * HAN))).join("");
    const stages = Array.from({ length: STAGES + 1 }, (_, order) => ({
      id: String(order),
      order,
      keywords: order === 0 ? [] : Array.from({ length: PHRASES }, phrase),
    }));
    // The first run lets the engine compile the code; the second is measured.
    compileStageMatcher(stages);
    const before = await heldBytes();
    let [longestMs, from] = [0, performance.now()];
    const compiling = compileInSteps(stages);
    let step = compiling.next();
    for (; step.done !== true; step = compiling.next()) {
      longestMs = Math.max(longestMs, performance.now() - from);
      from = performance.now();
    }
    longestMs = Math.max(longestMs, performance.now() - from);
    const held = (await heldBytes()) - before;
    print(
      `  ${STAGES * PHRASES * each} characters; estimated by the matcher: ${Math.round(step.value.bytes / 1024)} KB`,
    );
    const matching = benchMatching();
    for (const [name, value] of Object.entries(matching)) print(`  ${name}: ${value}`);
    return [
      atMost("longest slice of compiling 100,000 Han characters", longestMs, 50, "ms"),
      atMost("memory of their matcher", held / 1024 / 1024, 10, "MB"),
      atMost("matching: results that differ from plain includes", matching["results that differ"] ?? Infinity, 0, ""),
      atLeast("matching: speed relative to plain includes", matching["ratio (budget 10)"] ?? 0, 18, "times"),
    ];
  },
};

v8.setFlagsFromString("--expose-gc");
const collectGarbage = vm.runInNewContext("gc") as () => void;

/** Returns the memory in use after garbage collection. Buffers are freed one turn after their object. */
async function heldBytes(): Promise<number> {
  for (let turn = 0; turn < 3; turn += 1) {
    collectGarbage();
    // oxlint-disable-next-line no-await-in-loop -- each turn follows the previous one
    await nextTurn();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
