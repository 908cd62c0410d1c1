import { act, render, screen, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { DashboardParts } from "../../src/machines/dashboard/dashboard.figures.ts";
import { Session } from "../../src/machines/session/session.machine.ts";
import { DashboardView } from "../../src/views/dashboard/DashboardView.tsx";
import { NOON, startFakeSession } from "../support/session.ts";
import { subscriptionWith } from "../support/subscriptions.ts";
import { seen } from "../support/screen.ts";

const fail = () => Promise.reject(new Error("503"));

/** Renders a user's dashboard with figures that a test can change. `tell` sends an event of the server. */
async function show(
  {
    readIsLost = async () => false,
    now = () => NOON,
    ...data
  }: Partial<DashboardParts["data"] & Pick<DashboardParts, "readIsLost" | "now">> = {},
  status: string | null = "active",
  isSignedIn = true,
) {
  const { session, signIn } = startFakeSession(subscriptionWith({ status: "active" }));
  if (isSignedIn) signIn();
  const seen = { since: "", statusReads: 0, warnings: [] as string[] };
  const listeners = new Map<string, () => void>();
  const calls: DashboardParts["data"] = {
    fetchNewestStatus: async () => {
      seen.statusReads += 1;
      return "active";
    },
    countLeadsSince: async (_ownerId, since) => {
      seen.since = since;
      return 12_345;
    },
    countStages: async () => 5,
    countTelegramSessions: async () => 1,
    fetchLastLeadTime: async () => null,
    ...data,
  };
  const deps: DashboardParts = {
    data: calls,
    readIsLost,
    news: {
      subscribe: (type, listener) => {
        listeners.set(type, listener);
        return () => listeners.delete(type);
      },
    },
    onReturn: () => () => {},
    logger: { warn: (what) => void seen.warnings.push(what) },
    now,
    userId: "ada",
    status,
  };
  const view = render(
    <Session.ActorProvider value={session}>
      <DashboardView deps={deps} />
    </Session.ActorProvider>,
  );
  const first = card("Active stages").textContent;
  await act(async () => {});
  const publish = (type: "lead.changed" | "telegram.changed") => act(async () => listeners.get(type)?.());
  return { seen, calls, first, publish, listeners, ...view };
}
const greeting = () => screen.getByRole("heading", { level: 1 }).textContent;
const card = (name: string) => screen.getByRole("region", { name });
const text = (name: string) => card(name).textContent;
const retry = (name: string) => within(card(name)).queryByRole("button", { name: /^Try again/ });

describe("the dashboard", () => {
  it("greets by email and names its four cards", async () => {
    const { first } = await show();
    expect(greeting()).toEqual("Welcome, ada@example.com");
    expect(screen.getByText("Here’s a quick snapshot.")).toBeTruthy();
    expect(first).toEqual("Active stages—Configured in Stages");
    const cards: [name: string, text: string, href: string][] = [
      ["Last lead received", "None yetMost recent lead", "/leads"],
      ["Leads (7d)", `${(12_345).toLocaleString()}New leads last 7 days`, "/leads"],
      ["Active stages", "5Configured in Stages", "/stages"],
      ["Telegram accounts", "1Connected", "/connect-telegram"],
    ];
    for (const [name, words, href] of cards) {
      expect(text(name)).toEqual(`${name}${words}`);
      expect([name, within(card(name)).getByRole("link", { name }).getAttribute("href")]).toEqual([name, href]);
    }
  });

  it("says just Welcome without an email", async () => {
    await show({}, "active", false);
    expect(greeting()).toEqual("Welcome");
  });

  it("counts the last 7 days' leads and reads no status when the session's is active", async () => {
    const { seen } = await show();
    expect(seen).toEqual({ since: "2026-11-14T12:00:00.000Z", statusReads: 0, warnings: [] });
    expect(screen.getByText("Subscription: active")).toBeTruthy();
  });

  it("reads the newest subscription's status when the session's gives no access", async () => {
    const { seen } = await show({}, "past_due");
    expect(seen.statusReads).toEqual(1);
    expect(screen.getByText("Subscription: active")).toBeTruthy();
  });

  it("says 'Subscription: none' with a link to subscribe when none is active", async () => {
    await show({ fetchNewestStatus: async () => "canceled" }, null);
    expect(screen.getByText("Subscription: none")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Subscribe" }).getAttribute("href")).toEqual("/subscribe");
    expect(seen("not read")).toEqual(false);
  });

  it("offers to connect an account only when there is certainly none", async () => {
    const { calls } = await show({ countTelegramSessions: fail });
    expect(seen(/Connect your Telegram account/)).toEqual(false);
    calls.countTelegramSessions = async () => 0;
    await act(async () => retry("Telegram accounts")?.click());
    expect(screen.getByText(/Connect your Telegram account/)).toBeTruthy();
  });

  it.each([
    ["ended the session", async () => true, false],
    ["never had one", async () => false, true],
    ["cannot be asked", fail, true],
  ])("offers the first step only to a new user: Telegram %s", async (_why, readIsLost, isOffered) => {
    await show({ countTelegramSessions: async () => 0, readIsLost });
    expect(seen(/Connect your Telegram account/)).toEqual(isOffered);
  });

  it("shows a default and a mark for each failed figure, and retries on demand", async () => {
    const reads = ["fetchNewestStatus", "countLeadsSince", "countStages", "countTelegramSessions", "fetchLastLeadTime"];
    const { seen, calls } = await show(Object.fromEntries(reads.map((name) => [name, fail])), null);
    for (const [name, words] of [
      ["Last lead received", "None yetMost recent lead"],
      ["Leads (7d)", "0New leads last 7 days"],
      ["Active stages", "0Configured in Stages"],
      ["Telegram accounts", "0Connected"],
    ] as const)
      expect(text(name)).toEqual(`${name}${words}not readTry again`);
    expect(screen.getByText("Subscription: none")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Try again: your subscription" })).toBeTruthy();
    expect(seen.warnings).toEqual([
      "the last lead could not be read",
      "the number of leads could not be read",
      "the number of stages could not be read",
      "the number of Telegram accounts could not be read",
      "your subscription could not be read",
    ]);
    calls.countStages = async () => 5;
    await act(async () => retry("Active stages")?.click());
    expect(text("Active stages")).toEqual("Active stages5Configured in Stages");
    expect(text("Leads (7d)")).toEqual("Leads (7d)0New leads last 7 daysnot readTry again");
  });

  it("updates how long ago the last lead came", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let time = NOON;
    await show({ fetchLastLeadTime: async () => new Date(NOON).toISOString(), now: () => time });
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(text("Last lead received")).toEqual("Last lead receivedjust nowMost recent lead");
    time += 120_000;
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(text("Last lead received")).toEqual("Last lead received2m agoMost recent lead");
  });

  it("refreshes its leads once per burst of events, and keeps them on a failure", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let count = 12;
    let reads = 0;
    const { publish, calls, listeners, unmount } = await show({
      countLeadsSince: async () => {
        reads += 1;
        return count;
      },
    });
    count = 13;
    await publish("lead.changed");
    await publish("lead.changed");
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect([text("Leads (7d)"), reads]).toEqual(["Leads (7d)13New leads last 7 days", 2]);
    calls.countTelegramSessions = fail;
    await publish("telegram.changed");
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    expect(text("Telegram accounts")).toEqual("Telegram accounts1Connectedfrom beforeTry again");
    unmount();
    expect(listeners.size).toEqual(0);
  });
});
