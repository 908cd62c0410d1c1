import { expect, it } from "vitest";
import { readResults, runResults, writeLives } from "../../../tools/chaos/models/followup-results.ts";
import { newStep, ownEngine } from "../../support/engine.ts";

const engine = await ownEngine();

it("matches a plain count, also after a step is archived, moved or deleted", async () => {
  expect(await runResults(engine, { lives: 120, seed: 5 })).toHaveLength(4);
});

it("returns zeros for an unsent step, and the last ninety days by default", async () => {
  const seller = await engine.newSeller();
  const step = await newStep(engine, seller, { message: "Step", order: 0 });
  const nothing = { answered_24h: 0, answered_72h: 0, moved_on: 0, opted_out: 0, median_answer_minutes: null };
  expect((await readResults(engine, seller)).body).toEqual([{ followup_id: step, sent: 0, ...nothing }]);
  const days = (count: number) => engine.clock.now() - count * 86_400_000;
  const lives = [91, 89].map((count) => ({
    happenings: [{ at: days(count), type: "step" as const, followupId: step, epoch: 1 }],
    optedOutAt: null,
  }));
  await writeLives(engine, seller, [seller.stageId], lives);
  expect((await readResults(engine, seller)).body).toEqual([{ followup_id: step, sent: 1, ...nothing }]);
  const longer = await readResults(engine, seller, { from: new Date(days(92)).toISOString() });
  expect(longer.body).toEqual([{ followup_id: step, sent: 2, ...nothing }]);
});

it("refuses a reversed range and an invalid time by name", async () => {
  const seller = await engine.newSeller();
  const swapped = await readResults(engine, seller, { from: "2030-01-02T00:00:00Z", to: "2030-01-01T00:00:00Z" });
  expect(swapped).toMatchObject({ status: 422, body: { fields: { to: "Must not be before the start." } } });
  const nonsense = await readResults(engine, seller, { from: "yesterday" });
  const { fields } = nonsense.body as unknown as { fields: object };
  expect([nonsense.status, Object.keys(fields)]).toEqual([422, ["from"]]);
});
