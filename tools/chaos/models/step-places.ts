import { expect } from "vitest";
import { eraseDeletedFollowups } from "../../../server/followups/deletion.ts";
import { StepWorld } from "./step-world.ts";
import type { TestEngine } from "../../../tests/support/engine.ts";

function dice(seed: number) {
  let state = seed;
  const below = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * most);
  };
  return { below, one: <T>(items: readonly T[]): T | undefined => items[below(items.length)] };
}

/**
 * Deletes, restores, moves and skips steps at random while they are sent, and compares what each person got with a model.
 * @returns how many messages were sent
 * @throws when a step is sent twice in a stage entry, or is lost
 */
export async function runStepPlaces(engine: TestEngine, seeds: readonly number[]): Promise<number> {
  let sent = 0;
  for (const seed of seeds) {
    const { below, one } = dice(seed);
    const world = await StepWorld.open(engine);
    const { model } = world;
    for (let count = 0; count < 4; count += 1) await world.add();
    for (let count = 0; count < 3; count += 1) await world.join();
    for (let turn = 0; turn < 30; turn += 1) {
      const stand = one(model.live());
      const person = one(model.people);
      const gone = one([...model.gone.keys()]);
      const act = below(14);
      if (act < 3) await world.pass();
      else if (act < 7 && stand !== undefined) await world.remove(stand);
      else if (act < 10 && gone !== undefined) await world.restore(gone);
      else if (act === 10) await world.add();
      else if (act === 11 && stand !== undefined) await world.moveToEnd(stand);
      else if (act === 12 && person !== undefined) await world.skip(person);
      else if (act === 13 && person !== undefined) await (below(2) === 0 ? world.join() : world.reenter(person));
      if (below(8) === 0) await eraseDeletedFollowups(engine.deps);
      await world.compareWithModel();
    }
    for (let rest = model.live().length; rest >= 0; rest -= 1) await world.pass();
    // No person has an unsent step left in this stage entry.
    expect(model.people.filter((person) => model.nextOf(person) !== undefined)).toEqual([]);
    sent += model.people.reduce((sum, { all }) => sum + all.length, 0);
  }
  return sent;
}
