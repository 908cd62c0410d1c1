import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import {
  type DashboardDeps,
  createDashboard,
  dashboardMachine,
  lastLeadText,
  selectIsActive,
} from "../../src/machines/dashboard/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { dashboardModel } from "./dashboard.model.ts";

walkEveryPath(dashboardMachine, dashboardModel);

describe("the dashboard", () => {
  const NOON = Date.parse("2026-11-21T12:00:00Z");
  const set = (data: Partial<DashboardDeps["data"]>, status: string | null) => {
    const seen = { since: "", statusReads: 0, warnings: [] as string[] };
    const actor = createActor(
      createDashboard({
        data: {
          fetchNewestStatus: async () => {
            seen.statusReads += 1;
            return "active";
          },
          countLeadsSince: async (_ownerId, since) => {
            seen.since = since;
            return 12;
          },
          countStages: async () => 5,
          countTelegramSessions: async () => 1,
          fetchLastLeadTime: async () => "2026-11-21T11:57:00Z",
          ...data,
        },
        logger: { warn: (what) => void seen.warnings.push(what) },
        now: () => NOON,
      }),
      { input: { userId: "ada", status } },
    ).start();
    const allKnown = () => waitFor(actor, ({ value }) => Object.values(value).every((region) => region === "known"));
    return { seen, allKnown };
  };

  it("counts the leads of the last 7 days and reads no status when the session's is active", async () => {
    const { seen, allKnown } = set({}, "active");
    const { context } = await allKnown();
    expect(context).toEqual({
      userId: "ada",
      status: "active",
      lastLeadAt: "2026-11-21T11:57:00Z",
      leads: 12,
      stages: 5,
      accounts: 1,
    });
    expect(seen).toEqual({ since: "2026-11-14T12:00:00.000Z", statusReads: 0, warnings: [] });
  });

  it("reads the newest subscription's status when the session's is not active or trialing", async () => {
    const { seen, allKnown } = set({}, "past_due");
    expect(selectIsActive(await allKnown())).toEqual(true);
    expect(seen.statusReads).toEqual(1);
  });

  it("shows 0, none and not subscribed for what cannot be read, and logs each", async () => {
    const fail = () => Promise.reject(new Error("503"));
    const { seen, allKnown } = set(
      {
        fetchNewestStatus: fail,
        countLeadsSince: fail,
        countStages: fail,
        countTelegramSessions: fail,
        fetchLastLeadTime: fail,
      },
      null,
    );
    const snapshot = await allKnown();
    expect(snapshot.context).toMatchObject({ lastLeadAt: null, leads: 0, stages: 0, accounts: 0 });
    expect(selectIsActive(snapshot)).toEqual(false);
    expect(seen.warnings).toHaveLength(5);
  });
});

describe("the last lead", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();
  it.each([
    [null, "None yet"],
    ["not a date", "—"],
    [ago(0), "just now"],
    [ago(59), "just now"],
    [ago(60), "1m ago"],
    [ago(3_599), "59m ago"],
    [ago(3_600), "1h ago"],
    [ago(86_399), "23h ago"],
    [ago(86_400), "1d ago"],
    [ago(7 * 86_400 - 1), "6d ago"],
    [ago(7 * 86_400), new Date(now - 7 * 86_400_000).toLocaleString()],
  ])("%s reads %s", (createdAt, text) => expect(lastLeadText(createdAt, now)).toEqual(text));
});
