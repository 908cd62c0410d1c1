import { expect, it } from "vitest";
import { runBatchDue } from "../../../tools/chaos/models/batch-due.ts";
import { ownEngine } from "../../support/servers.ts";

const engine = await ownEngine();

it("keeps of many leads that move what is due of each, there and back, with or without steps where they go", async () => {
  expect(await runBatchDue(engine)).toBeGreaterThan(50);
});
