import { expect, test } from "vitest";
import { systemClock } from "../../../server/core/clock.ts";
import { createWork } from "../../../server/core/work.ts";
import { createUpdateQueue } from "../../../server/telegram/account/update-queue.ts";

test("stores an update that arrives just as the last batch is done", async () => {
  for (let turns = 0; turns < 20; turns += 1) {
    const work = createWork();
    const stored: string[] = [];
    const store = async (batch: readonly string[]) => void stored.push(...batch);
    const queue = createUpdateQueue({ clock: systemClock, work }, store, async () => false);
    queue.push("first");
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    queue.push("second");
    await work.idle();
    expect([turns, stored]).toEqual([turns, ["first", "second"]]);
  }
});
