import { expect, it } from "vitest";
import { runBatchDue } from "../../../tools/chaos/models/batch-due.ts";
import { ownEngine } from "../../support/engine.ts";

const engine = await ownEngine();

it("keeps each lead's due step when many leads move, and on undo", async () => {
  expect(await runBatchDue(engine)).toBeGreaterThan(50);
});
