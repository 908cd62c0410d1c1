import { describe, expect, test } from "vitest";
import { openStats } from "../../../tools/chaos/models/stats.ts";
import { addRow } from "../../support/rows.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer();
const { user, stages, range, inRange, get, round, furthest } = await openStats(server);

describe("statistics that match a plain count", () => {
  test("total", async () => {
    expect(await get("total")).toEqual({ total: inRange().length });
  });

  test("daily volume with every day of the range", async () => {
    const expected = [];
    for (let day = Date.parse(range.start); day <= Date.parse(range.end); day += 86_400_000) {
      const name = new Date(day).toISOString().slice(0, 10);
      const leads = inRange().filter(({ created_at }) => created_at.startsWith(name));
      expected.push({ day: name, lead_count: leads.length });
    }
    expect(await get("volume")).toEqual(expected);
  });

  test("breakdown by current stage", async () => {
    const expected = stages
      .map(({ id }) => ({ stage_id: id, count: inRange().filter(({ stage_id }) => stage_id === id).length }))
      .filter(({ count }) => count > 0);
    expect(await get("stage-breakdown")).toEqual(expected);
  });

  test.each([0, 1, 2, 3])("conversion to stage %i by the furthest stage reached", async (index) => {
    const cohort = inRange();
    const target = stages[index] ?? { id: "", order: 0 };
    const count = cohort.filter((lead) => furthest(lead) >= target.order).length;
    const expected = { count, total: cohort.length, percentage: round(count, cohort.length) };
    for (const given of [stages, stages.map(({ id }) => id), []]) {
      const body = { stage_id: target.id, ...range, stages: given };
      const answer = await user.call("POST", "/stats/conversions", body);
      expect(answer.body).toEqual(expected);
    }
  });

  test("the funnel's steps", async () => {
    const cohort = inRange();
    const reached = stages.map(({ order }) => cohort.filter((lead) => furthest(lead) >= order).length);
    type Step = { current: number; reached: number; next_rate: number | null; cumulative_rate: number | null };
    const expected = stages.map(({ id }, index) => ({
      current: cohort.filter(({ stage_id }) => stage_id === id).length,
      reached: reached[index],
      next_rate: index === stages.length - 1 ? null : round(reached[index + 1] ?? 0, reached[index] ?? 0),
      cumulative_rate: round(reached[index] ?? 0, reached[0] ?? 0),
    }));
    const funnel = await get<Step[]>("funnel");
    expect(funnel).toMatchObject(expected);
    expect(funnel).toHaveLength(stages.length);
  });

  test("includes the microseconds of the end's millisecond", async () => {
    const at = "2025-06-01T23:59:59.999700Z";
    const lead = { telegram_user_id: 999_999_999n, created_at: at, stage_entered_at: at };
    await addRow(server.deps.db, "leads", { ...lead, owner_id: user.userId, stage_id: stages[0]?.id ?? null });
    const path = "/stats/total?start=2025-06-01T00:00:00.000Z&end=2025-06-01T23:59:59.999Z";
    expect((await user.call("GET", path)).body).toEqual({ total: 1 });
  });
});

test.each([
  "",
  "?start=2026-01-01T00:00:00Z",
  "?start=x&end=y",
  "?start=2026-02-01T00:00:00Z&end=2026-01-01T00:00:00Z",
  "?start=1900-01-01T00:00:00Z&end=2026-01-01T00:00:00Z",
])("refuses a range like %j with a message that says what to do", async (query) => {
  const { status, body } = await user.call<{ message: string }>("GET", `/stats/total${query}`);
  expect(status).toBe(422);
  expect(body.message.length).toBeGreaterThan(10);
});
