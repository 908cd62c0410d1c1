import { describe, expect, it } from "vitest";
import type { DeliveryPage, WebhookDelivery } from "../../domain/webhook.ts";
import {
  type WebhookDeliveriesParts,
  createWebhookDeliveries,
} from "../../src/machines/webhook-deliveries/webhook-deliveries.machine.ts";
import { type VisitOf, isCalling, olderInvariants, readingInvariants, walkEveryPath } from "../support/invariants.ts";
import { failureText } from "../support/model.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { deliveryOf, webhookDeliveriesModel } from "./webhook-deliveries.model.ts";
import { dead, hook } from "./webhooks.model.ts";

type Visited = VisitOf<typeof webhookDeliveriesModel>;

const sentBy = (id: string, message: string) => ({
  [`done ${id}`]: ({ event, before, context, effects }: Visited) => {
    const items = event.output ? [event.output, ...before.items] : before.items;
    expect(context).toEqual({ ...before, items, active: null });
    expect(effects).toEqual({ announce: { message } });
  },
});

const refusedBy = (id: string, unknown: string) => ({
  [`error ${id}`]: ({ before, context, event }: Visited) =>
    expect(context).toEqual({ ...before, active: null, problem: failureText(event, unknown), about: before.active }),
});

const sends = ["replayDelivery", "sendTest", "enableWebhook"].flatMap((id) => [`done ${id}`, `error ${id}`]);

const shows = ({ event, before, context }: Visited) => {
  const { webhook, items, next } = event.output;
  expect(context).toEqual({ ...before, webhook, items, next, opened: items.length > 0 ? before.opened : null });
};
const hasOlder = ({ before, context }: Visited) =>
  expect(context).toEqual({ ...before, items: [...before.items, deliveryOf(1)], next: null });

walkEveryPath(webhookDeliveriesModel, {
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
  ...readingInvariants("list.", "fetchDeliveries", shows, {
    starts: sends,
    input: { id: hook.id, count: 50 },
  }),
  ...olderInvariants("older.", {
    canLoad: ({ next }, isIn) => next !== null && isIn("list.shown.current"),
    loaded: hasOlder,
    input: { id: hook.id, before: "d2" },
  }),
  "work.resting": {
    after: {
      start: null,
      ...sentBy("replayDelivery", "Being sent again: see the first line."),
      ...sentBy("sendTest", "A test event is on its way: see the first line."),
      ...sentBy("enableWebhook", "The webhook is enabled."),
      ...refusedBy("replayDelivery", "It may have been sent again."),
      ...refusedBy("sendTest", "The test event may have been sent."),
      ...refusedBy("enableWebhook", "The webhook may have been enabled."),
    },
    accepts: ({ webhook }) => {
      if (webhook === null) return [];
      return webhook.enabled ? ["delivery.replay", "webhook.test"] : ["webhook.enable"];
    },
    holds: ({ context }) => expect(context.active).toEqual(null),
  },
  "work.replaying": {
    // A pending delivery, such as d3, cannot be sent again.
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
});

type Service = NonNullable<WebhookDeliveriesParts["webhooks"]>;

/** Returns deliveries by id, in pages as a server sends them; an added one is the newest. */
function pagesOf(deliveries: readonly WebhookDelivery[]) {
  return async ({ before, limit }: { before: string | null; limit: number }): Promise<DeliveryPage> => {
    const from = before === null ? 0 : deliveries.findIndex(({ id }) => id === before) + 1;
    const items = deliveries.slice(from, from + limit);
    return { items, next: from + limit < deliveries.length ? (items.at(-1)?.id ?? null) : null };
  };
}
const downFrom = (newest: number) =>
  Array.from({ length: newest }, (_, index) => deliveryOf(1, { id: String(newest - index) }));

async function startDeliveries(overrides: Partial<Service> = {}, id: string = hook.id) {
  const page = fakePage();
  const sent: unknown[] = [];
  let change = () => {};
  const logic = createWebhookDeliveries(page, {
    webhooks: {
      list: async () => [hook, dead],
      listDeliveries: pagesOf([deliveryOf(2)]),
      change: async (input) => sent.push(input),
      async replay(input) {
        sent.push(input);
        return deliveryOf(9, { state: "pending", replay_of: input.delivery });
      },
      test: async () => deliveryOf(9, { event: "webhook.test" }),
      ...overrides,
    },
    onChanged: (listener) => ((change = listener), () => {}),
  });
  const journey = await openJourney(logic, { input: { id } });
  const ids = () => journey.context().items.map((delivery) => delivery.id);
  return { ...journey, ids, sent, notices: page.notices, change: () => (change(), settle()) };
}

describe("a webhook's deliveries", () => {
  it("can be sent again once they are settled", async () => {
    const items = [deliveryOf(3, { state: "pending" }), deliveryOf(2), deliveryOf(1, { state: "given_up" })];
    const { go, snapshot, sent, notices } = await startDeliveries({ listDeliveries: pagesOf(items) });
    const can = (id: string) => snapshot().can({ type: "delivery.replay", id });
    expect(["d3", "d2", "d1", "d0"].map(can)).toEqual([false, true, true, false]);
    await go({ type: "delivery.replay", id: "d1" });
    expect([sent, notices]).toEqual([[{ id: hook.id, delivery: "d1" }], ["Being sent again: see the first line."]]);
  });

  it("can be sent again only after the server has enabled the webhook", async () => {
    const enabling = Promise.withResolvers<unknown>();
    const { go, sent, notices } = await startDeliveries(
      { change: (input) => (sent.push(input), enabling.promise) },
      dead.id,
    );
    await go({ type: "delivery.replay", id: "d2" }, { type: "webhook.enable" });
    expect([sent, notices]).toEqual([[{ id: dead.id, enabled: true }], []]);
    enabling.resolve(hook);
    await settle();
    expect(notices).toEqual(["The webhook is enabled."]);
  });

  it("grow page by page, and refresh as many as are shown", async () => {
    const cursors: unknown[] = [];
    const read = pagesOf(downFrom(120));
    const { go, context, change } = await startDeliveries({
      listDeliveries: (request) => (cursors.push(request.before), read(request)),
    });
    await go({ type: "older.load" });
    await go({ type: "delivery.open", id: "30" });
    await change();
    const { items, opened, next } = context();
    expect([items.length, opened, next, cursors]).toEqual([100, "30", "21", [null, "71", null, "71"]]);
  });

  it.each(["older", "newest"])("keep an older page that arrives during a refresh, %s first", async (first) => {
    const deliveries = downFrom(120);
    const held = new Map<string, () => void>();
    let isHeld = false;
    const { go, context, ids, change } = await startDeliveries({
      async listDeliveries(request) {
        if (isHeld) await new Promise<void>((answer) => held.set(request.before === null ? "newest" : "older", answer));
        return pagesOf(deliveries)(request);
      },
    });
    isHeld = true;
    void go({ type: "older.load" });
    deliveries.unshift(deliveryOf(1, { id: "121" }));
    await change();
    isHeld = false;
    held.get(first)?.();
    await settle();
    for (const answer of held.values()) answer();
    await settle();
    expect([ids(), context().next]).toEqual([deliveries.slice(0, 101).map(({ id }) => id), "21"]);
  });

  it("disappear with a webhook that was deleted elsewhere", async () => {
    const { context } = await startDeliveries({ list: async () => [], listDeliveries: async () => null });
    expect(context()).toMatchObject({ webhook: null, items: [], next: null });
  });

  it("start with a test event, which a refresh does not repeat", async () => {
    const testEvent = deliveryOf(9, { event: "webhook.test" });
    const { go, ids } = await startDeliveries({ listDeliveries: pagesOf([testEvent, deliveryOf(2)]) });
    await go({ type: "webhook.test" });
    expect(ids()).toEqual(["d9", "d2"]);
  });
});
