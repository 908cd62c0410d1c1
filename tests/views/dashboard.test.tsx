import { act, render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type AnyMachineSnapshot, waitFor } from "xstate";
import {
  DashboardProvider,
  createDashboard,
  dashboardMachine,
  lastLeadText,
} from "../../src/machines/dashboard/index.ts";
import { SessionProvider } from "../../src/machines/session/index.ts";
import { DashboardView } from "../../src/views/dashboard/DashboardView.tsx";
import { dashboardModel } from "../machines/dashboard.model.ts";
import { NOON, startFakeSession } from "../support/session.ts";
import { subscriptionWith } from "../support/subscriptions.ts";
import { coveringPaths, walkEveryView } from "../support/walk-view.tsx";

const card = (name: string) =>
  within(screen.getByRole("region", { name })).getByText(/./, { selector: "p:first-of-type" });
const input = { userId: "ada", status: null };
const model = { ...dashboardModel, input };

const seeNumbers = ({ value, context }: AnyMachineSnapshot) => {
  const { lastLeadAt, leads, stages, accounts, status } = context;
  const numberText = (count: number | undefined) => count?.toLocaleString() ?? "—";
  expect(card("Last lead received").textContent).toEqual(
    lastLeadAt === undefined ? "—" : lastLeadText(lastLeadAt, NOON),
  );
  expect(card("Leads (7d)").textContent).toEqual(numberText(leads));
  expect(card("Active stages").textContent).toEqual(numberText(stages));
  expect(card("Telegram accounts").textContent).toEqual(numberText(accounts));
  const isKnown = (value as { status: string }).status === "known";
  expect(screen.queryByText("Subscription: active") !== null).toEqual(isKnown && status === "active");
  expect(screen.queryByText("Subscription: none") !== null).toEqual(isKnown && status !== "active");
  expect(screen.queryByRole("link", { name: "Subscribe" }) !== null).toEqual(isKnown && status !== "active");
};

walkEveryView({
  machine: dashboardMachine,
  model,
  paths: await coveringPaths(dashboardMachine, model),
  show: (services, options) => (
    <SessionProvider value={startFakeSession(null).session}>
      <DashboardProvider logic={dashboardModel.provide(services) as never} options={{ ...options, input }}>
        <DashboardView now={() => NOON} />
      </DashboardProvider>
    </SessionProvider>
  ),
  gestures: {},
  outOfReach: ["dashboard.status.given | (always) | 0"],
  see: seeNumbers,
});

describe("the dashboard", () => {
  it("greets by e-mail and names its four cards as the product does", async () => {
    const { session, signIn } = startFakeSession(subscriptionWith({ status: "active" }));
    signIn();
    await waitFor(session, (snapshot) => snapshot.matches({ signedIn: { reading: "settled" } }));
    const logic = createDashboard({
      data: {
        fetchNewestStatus: async () => null,
        countLeadsSince: async () => 12_345,
        countStages: async () => 5,
        countTelegramSessions: async () => 1,
        fetchLastLeadTime: async () => null,
      },
      logger: { warn: () => {} },
      now: () => NOON,
    });
    render(
      <SessionProvider value={session}>
        <DashboardProvider logic={logic} options={{ input: { userId: "ada", status: "active" } }}>
          <DashboardView now={() => NOON} />
        </DashboardProvider>
      </SessionProvider>,
    );
    await act(async () => {});
    expect(screen.getByRole("heading", { level: 1 }).textContent).toEqual("Welcome, ada@example.com");
    const text = (name: string) => screen.getByRole("region", { name }).textContent;
    expect(screen.getByText("Here’s a quick snapshot.")).toBeTruthy();
    expect(text("Last lead received")).toEqual("Last lead receivedNone yetMost recent lead");
    expect(text("Leads (7d)")).toEqual(`Leads (7d)${(12_345).toLocaleString()}New leads last 7 days`);
    expect(text("Active stages")).toEqual("Active stages5Configured in Stages");
    expect(text("Telegram accounts")).toEqual("Telegram accounts1Connected");
  });

  it("says just Welcome to someone without an e-mail", () => {
    render(
      <SessionProvider value={startFakeSession(null).session}>
        <DashboardProvider logic={dashboardMachine.provide({})} options={{ input }}>
          <DashboardView now={() => NOON} />
        </DashboardProvider>
      </SessionProvider>,
    );
    expect(screen.getByRole("heading", { level: 1 }).textContent).toEqual("Welcome");
  });
});
