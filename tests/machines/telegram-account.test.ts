import { describe, expect, it, test, vi } from "vitest";
import { type AnyEventObject, SimulatedClock, createActor, fromCallback } from "xstate";
import type { TelegramAccount } from "../../domain/telegram.ts";
import {
  type AccountGateway,
  createTelegramAccount,
  telegramAccountMachine,
} from "../../src/machines/telegram-account/index.ts";
import { missingEdges, reportCoverage } from "../support/report-coverage.ts";
import { edgeCollector, edgePaths, pendingServices, play } from "../support/walk-machine.ts";

const account: TelegramAccount = {
  connected: true,
  phone: "+15550100",
  connected_at: "2026-03-05T09:00:00Z",
  last_activity_at: null,
  paused_until: null,
  paused_reason: null,
  stopped_reason: "Telegram limits this account.",
  device: "Leadloom",
  daily_cap: 200,
  sent_today: 12,
};
const calls = ["fetchAccount", "refreshAccount", "saveDailyCap", "resumeSending"];
const events: AnyEventObject[] = [
  { type: "xstate.done.actor.fetchAccount", output: account },
  { type: "xstate.done.actor.refreshAccount", output: { ...account, sent_today: 13 } },
  ...calls.map((id) => ({ type: `xstate.error.actor.${id}`, error: new Error("offline") })),
  { type: "cap.submit", dailyCap: 50 },
];

describe("every transition of the account's health", () => {
  const collector = edgeCollector(telegramAccountMachine);
  const paths = edgePaths(telegramAccountMachine, { events, project: (snapshot) => snapshot.value });
  reportCoverage(telegramAccountMachine, paths, collector);

  it.each(paths)("%s", async (_name, steps) => {
    const services = pendingServices();
    const clock = new SimulatedClock();
    const machine = telegramAccountMachine.provide({
      actors: {
        fetchAccount: services.sharedService(),
        saveDailyCap: services.service("saveDailyCap"),
        resumeSending: services.service("resumeSending"),
        watchAccount: fromCallback(() => {}),
      },
    });
    const actor = createActor(machine, { clock, inspect: collector.inspect }).start();
    for (const { event, state } of steps) {
      await play(event, { services, clock, delays: {}, user: (sent) => actor.send(sent as never) });
      expect(actor.getSnapshot()).toMatchObject({ value: state.value, status: "active", context: state.context });
    }
  });

  it("takes every transition", () => expect(missingEdges(telegramAccountMachine, collector)).toEqual([]));
});

function panel(overrides: Partial<AccountGateway> = {}) {
  const gateway: AccountGateway = {
    fetchAccount: async () => account,
    saveDailyCap: async () => {},
    resumeSending: async () => {},
    ...overrides,
  };
  const warnings: string[] = [];
  let tell = () => {};
  const actor = createActor(
    createTelegramAccount({
      account: gateway,
      news: {
        onAccountChanged: (listener) => {
          tell = listener;
          return () => {};
        },
      },
      logger: { warn: (what) => warnings.push(what) },
    }),
  ).start();
  const settled = (value: unknown) =>
    vi.waitFor(() => expect(actor.getSnapshot().value).toEqual(value), { interval: 1 });
  return { actor, warnings, settled, tell: () => tell() };
}

const refusal = (status: number, body: unknown) => Promise.reject(Object.assign(new Error(), { status, body }));

test("a server that tells no health leaves the panel absent, without a line in the log", async () => {
  const { actor, warnings, settled } = panel({ fetchAccount: () => refusal(404, null) });
  await settled("absent");
  expect({ account: actor.getSnapshot().context.account, warnings }).toEqual({ account: null, warnings: [] });
});

test("another failure of the panel is logged once", async () => {
  const { warnings, settled } = panel({ fetchAccount: () => refusal(500, null) });
  await settled("absent");
  expect(warnings).toEqual(["the account's health is not known"]);
});

test("a new daily limit is saved and read back", async () => {
  const saveDailyCap = vi.fn<AccountGateway["saveDailyCap"]>(async () => {});
  const fetchAccount = vi
    .fn<AccountGateway["fetchAccount"]>()
    .mockResolvedValueOnce(account)
    .mockResolvedValueOnce({ ...account, daily_cap: 50 });
  const { actor, settled } = panel({ saveDailyCap, fetchAccount });
  await settled({ known: "resting" });
  actor.send({ type: "cap.submit", dailyCap: 50 });
  await vi.waitFor(() => expect(actor.getSnapshot().context.account?.daily_cap).toBe(50), { interval: 1 });
  expect(saveDailyCap.mock.calls.map(([input]) => input)).toEqual([{ dailyCap: 50 }]);
});

test("a refused resume says why in the server's words", async () => {
  const { actor, settled } = panel({
    resumeSending: () => refusal(409, { code: "too_early", message: "Wait until 14:00." }),
  });
  await settled({ known: "resting" });
  actor.send({ type: "sending.resume" });
  await vi.waitFor(() => expect(actor.getSnapshot().context.problem).toBe("Wait until 14:00."), { interval: 1 });
  await settled({ known: "resting" });
});

test("news of the account refresh the panel", async () => {
  const fetchAccount = vi
    .fn<AccountGateway["fetchAccount"]>()
    .mockResolvedValueOnce(account)
    .mockResolvedValueOnce({ ...account, sent_today: 99 });
  const { actor, settled, tell } = panel({ fetchAccount });
  await settled({ known: "resting" });
  tell();
  await vi.waitFor(() => expect(actor.getSnapshot().context.account?.sent_today).toBe(99), { interval: 1 });
});
