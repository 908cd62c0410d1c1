import { expect, test } from "vitest";
import { runOutages } from "../../chaos/outage-run.ts";

test(
  "a database that is cut off and crashes under load costs answers of 503 for its absence, no process and no message",
  { timeout: 180_000 },
  async (context) => {
    const figures = await runOutages({ cuts: 10, downs: 1, downMs: 1_500, clients: 6, leads: 60 });
    context.skip(figures === null, "no Postgres on this machine");
    if (figures === null) return;
    const {
      requests,
      unavailable,
      slowestAnswerMs: _slowest,
      noticedMs: _noticed,
      recoveredMs: _recovered,
      ...rest
    } = figures;
    expect(rest).toEqual({
      cuts: 10,
      downs: 1,
      wrong: [],
      stagesInOrder: true,
      crashed: [],
      sent: 60,
      duplicated: 0,
      lost: 0,
    });
    expect(unavailable).toBeGreaterThan(0);
    expect(requests).toBeGreaterThan(unavailable);
  },
);
