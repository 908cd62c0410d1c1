import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, createActor } from "xstate";
import type { DeliveryPage } from "../../domain/webhook.ts";
import {
  type WebhookDeliveriesGateway,
  createWebhookDeliveries,
  webhookDeliveriesMachine,
} from "../../src/machines/webhook-deliveries/index.ts";
import type { Invariants, Visit } from "../support/invariants.ts";
import { isCalling, olderInvariants, readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { deliveryOf, webhookDeliveriesModel } from "./webhook-deliveries.model.ts";
import { dead, hook } from "./webhooks.model.ts";

type Deliveries = ContextFrom<typeof webhookDeliveriesMachine>;

const sentBy = (id: string, words: string) => ({
  [`done ${id}`]: ({ event, before, context, effects }: Visit<Deliveries>) => {
    const items = event.output ? [event.output, ...before.items] : before.items;
    expect(context).toEqual({ ...before, items, active: null });
    expect(effects).toEqual({ announce: { words } });
  },
});

const refusedBy = (id: string, problem: string) => ({
  [`error ${id}`]: ({ before, context }: Visit<Deliveries>) =>
    expect(context).toEqual({ ...before, active: null, problem, about: before.active }),
});

const sends = ["replayDelivery", "sendTest", "enableWebhook"].flatMap((id) => [`done ${id}`, `error ${id}`]);

const hasOlder = ({ before, context }: Visit<Deliveries>) =>
  expect(context).toEqual({ ...before, items: [...before.items, deliveryOf(1)], next: null });

const invariants: Invariants<typeof webhookDeliveriesMachine> = {
  "*": {
    accepts: ({ items, opened }) => [
      ...(items.length > 0 && opened !== "d2" ? ["delivery.open"] : []),
      ...(opened === null ? [] : ["delivery.close"]),
    ],
    holds: ({ cause, context, before }) => {
      if (cause === "delivery.open") expect(context).toEqual({ ...before, opened: "d2" });
      if (cause === "delivery.close") expect(context).toEqual({ ...before, opened: null });
    },
  },
  ...readingInvariants<Deliveries>("list.", "fetchDeliveries", null, {
    starts: sends,
    input: { id: hook.id, count: 50 },
  }),
  "list.shown.current": {
    after: {
      "done fetchDeliveries": ({ event, before, context }) => {
        const { webhook, items, next } = event.output;
        expect(context).toEqual({ ...before, webhook, items, next, opened: items.length > 0 ? before.opened : null });
      },
    },
    accepts: ["reading.refresh"],
  },
  ...olderInvariants<Deliveries>("older.", {
    canLoad: ({ next }, isIn) => next !== null && isIn("list.shown.current"),
    loaded: hasOlder,
    input: { id: hook.id, before: "d2" },
  }),
  "work.resting": {
    after: {
      start: null,
      ...sentBy("replayDelivery", "It is sent again: see the first line."),
      ...sentBy("sendTest", "A test event is on its way: see the first line."),
      ...sentBy("enableWebhook", "The webhook is enabled."),
      ...refusedBy("replayDelivery", "No response from the server. It may have been sent again."),
      ...refusedBy("sendTest", "No response from the server. The test event may have been sent."),
      ...refusedBy("enableWebhook", "No response from the server. The webhook may have been enabled."),
    },
    accepts: ({ webhook }) => {
      if (webhook === null) return [];
      return webhook.enabled ? ["delivery.replay", "webhook.test"] : ["webhook.enable"];
    },
    holds: ({ context }) => expect(context.active).toEqual(null),
  },
  "work.replaying": {
    // A delivery that is still on its way, such as d3, is not sent twice.
    after: { "delivery.replay": ({ context }) => expect([context.active, context.problem]).toEqual(["d2", null]) },
    holds: isCalling("replayDelivery", { id: hook.id, delivery: "d2" }),
  },
  "work.testing": {
    after: { "webhook.test": ({ context }) => expect(context.problem).toEqual(null) },
    holds: isCalling("sendTest", { id: hook.id }),
  },
  "work.enabling": {
    after: { "webhook.enable": ({ context }) => expect(context.problem).toEqual(null) },
    holds: isCalling("enableWebhook", { id: hook.id }),
  },
};

walkEveryPath(webhookDeliveriesMachine, webhookDeliveriesModel, invariants);

function start(gateway: Partial<WebhookDeliveriesGateway> = {}) {
  const told: unknown[] = [];
  let change = () => {};
  const logic = createWebhookDeliveries({
    webhooks: {
      list: async () => [hook, dead],
      listDeliveries: async () => ({ items: [deliveryOf(2)], next: null }),
      change: async (input) => told.push(input),
      async replay(input) {
        told.push(input);
        return deliveryOf(9, { state: "pending", replay_of: input.delivery });
      },
      test: async () => deliveryOf(9, { event: "webhook.test" }),
      ...gateway,
    },
    onChanged(listener) {
      change = listener;
      return () => {};
    },
    notifier: { toast: (words) => told.push(words), warn: (words) => told.push(words) },
    logger: { warn: () => {} },
  });
  const begin = async (id: string) => {
    const chart = createActor(logic, { input: { id } }).start();
    await isCurrent(chart);
    return chart;
  };
  const isCurrent = (chart: ReturnType<typeof createActor<typeof logic>>) =>
    vi.waitFor(() =>
      expect(chart.getSnapshot().value).toEqual({ list: { shown: "current" }, older: "resting", work: "resting" }),
    );
  return { begin, isCurrent, told, change: () => change() };
}

describe("a webhook's deliveries", () => {
  it("that are settled are sent again, not those on their way, and none through a disabled webhook", async () => {
    const items = [deliveryOf(3, { state: "pending" }), deliveryOf(2), deliveryOf(1, { state: "given_up" })];
    const { begin, isCurrent, told } = start({ listDeliveries: async () => ({ items, next: null }) });
    const chart = await begin(hook.id);
    const can = (id: string) => chart.getSnapshot().can({ type: "delivery.replay", id });
    expect(["d3", "d2", "d1", "d0"].map(can)).toEqual([false, true, true, false]);
    chart.send({ type: "delivery.replay", id: "d1" });
    await isCurrent(chart);
    expect(told).toEqual([{ id: hook.id, delivery: "d1" }, "It is sent again: see the first line."]);
    chart.stop();

    const disabled = await begin(dead.id);
    const snapshot = disabled.getSnapshot();
    expect([
      snapshot.can({ type: "delivery.replay", id: "d2" }),
      snapshot.can({ type: "webhook.test" }),
      snapshot.can({ type: "webhook.enable" }),
    ]).toEqual([false, false, true]);
    disabled.send({ type: "webhook.enable" });
    await isCurrent(disabled);
    expect(told.at(-2)).toEqual({ id: dead.id, enabled: true });
    disabled.stop();
  });

  it("grow page by page, and a refresh reads as many as are shown", async () => {
    const all = Array.from({ length: 120 }, (_, index) => deliveryOf(1, { id: String(120 - index) }));
    const asked: unknown[] = [];
    const listDeliveries = async ({
      before,
      limit,
    }: {
      before: string | null;
      limit: number;
    }): Promise<DeliveryPage> => {
      asked.push(before);
      const from = before === null ? 0 : all.findIndex(({ id }) => id === before) + 1;
      const items = all.slice(from, from + limit);
      return { items, next: from + limit < all.length ? (items.at(-1)?.id ?? null) : null };
    };
    const { begin, isCurrent, change } = start({ listDeliveries });
    const chart = await begin(hook.id);
    expect(chart.getSnapshot().context.items).toHaveLength(50);
    chart.send({ type: "older.load" });
    await isCurrent(chart);
    expect(chart.getSnapshot().context.items).toHaveLength(100);
    chart.send({ type: "delivery.open", id: "30" });
    change();
    await isCurrent(chart);
    const { items, opened, next } = chart.getSnapshot().context;
    expect([items.length, opened, next, asked]).toEqual([100, "30", "21", [null, "71", null, "71"]]);
    chart.stop();
  });

  it.each(["older", "newest"])("keep the older page that came while they were read anew, %s first", async (first) => {
    const deliveries = Array.from({ length: 120 }, (_, index) => deliveryOf(1, { id: String(120 - index) }));
    const held = new Map<string, () => void>();
    let isHeld = false;
    const { begin, isCurrent, change } = start({
      async listDeliveries({ before, limit }) {
        if (isHeld) await new Promise<void>((answer) => held.set(before === null ? "newest" : "older", answer));
        const from = before === null ? 0 : deliveries.findIndex(({ id }) => id === before) + 1;
        const items = deliveries.slice(from, from + limit);
        return { items, next: from + limit < deliveries.length ? (items.at(-1)?.id ?? null) : null };
      },
    });
    const chart = await begin(hook.id);
    isHeld = true;
    chart.send({ type: "older.load" });
    deliveries.unshift(deliveryOf(1, { id: "121" }));
    change();
    await vi.waitFor(() => expect(held.size).toEqual(2));
    held.get(first)?.();
    await vi.waitFor(() => {
      const { list, older } = chart.getSnapshot().value as { list: object; older: string };
      expect(first === "older" ? older : list).toEqual(first === "older" ? "resting" : { shown: "current" });
    });
    for (const answer of held.values()) answer();
    await isCurrent(chart);
    const { items, next } = chart.getSnapshot().context;
    expect([items.map(({ id }) => id), next]).toEqual([deliveries.slice(0, 101).map(({ id }) => id), "21"]);
    chart.stop();
  });

  it("of a webhook that was deleted elsewhere are said to be gone", async () => {
    const { begin } = start({ list: async () => [], listDeliveries: async () => null });
    const chart = await begin(hook.id);
    expect(chart.getSnapshot().context).toMatchObject({ webhook: null, items: [], next: null });
    chart.stop();
  });

  it("begin with the test event once it was sent, and keep why a second one was not", async () => {
    let isAway = false;
    const testEvent = deliveryOf(9, { event: "webhook.test" });
    const { begin, isCurrent, told } = start({
      listDeliveries: async () => ({ items: [testEvent, deliveryOf(2)], next: null }),
      async test() {
        if (isAway) throw new Error("offline");
        return testEvent;
      },
    });
    const chart = await begin(hook.id);
    chart.send({ type: "webhook.test" });
    await isCurrent(chart);
    expect(told).toEqual(["A test event is on its way: see the first line."]);
    expect(chart.getSnapshot().context.items.map(({ id }) => id)).toEqual(["d9", "d2"]);
    isAway = true;
    chart.send({ type: "webhook.test" });
    await isCurrent(chart);
    expect(chart.getSnapshot().context).toMatchObject({
      problem: "No response from the server. The test event may have been sent.",
      about: null,
    });
    chart.stop();
  });
});
