import { msg } from "@lingui/core/runtime-macro";
import { and, assign, raise, setup, stateIn } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { DeliveryPage, Webhook, WebhookDelivery } from "../../../domain/webhook.ts";
import { createWebhooksGateway } from "../../services/webhooks.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import {
  type OlderPage,
  type ReadingEvent,
  type ReadingTag,
  fetching,
  readNewest,
  olderPages,
  withOlderPage,
} from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { loadRegion, watchingReturns } from "../kit/refreshing.ts";
import { type FailureText, failed, problemAbout, writing } from "../kit/writing.ts";

export type WebhookDeliveriesParts = {
  /** Calls back when the webhook or one of its deliveries may have changed. */
  onChanged: (listener: () => void) => () => void;
  webhooks?: Pick<ReturnType<typeof createWebhooksGateway>, "list" | "listDeliveries" | "change" | "replay" | "test">;
};

/** `webhook` null: the webhook was deleted. */
type Deliveries = { webhook: Webhook | null } & DeliveryPage;

const PAGE = 50;
const END: DeliveryPage = { items: [], next: null };

const REPLAY_FAILED: FailureText = {
  refused: msg`It was not sent again. Try again.`,
  unknown: msg`It may have been sent again.`,
};
const TEST_FAILED: FailureText = {
  refused: msg`No test event was sent. Try again.`,
  unknown: msg`The test event may have been sent.`,
};
const ENABLE_FAILED: FailureText = {
  refused: msg`The webhook was not enabled. Try again.`,
  unknown: msg`The webhook may have been enabled.`,
};

type DeliveriesContext = {
  id: string;
  /** Null until it has loaded, and after the webhook was deleted. */
  webhook: Webhook | null;
  items: readonly WebhookDelivery[];
  /** The cursor for older deliveries; null at the end. */
  next: string | null;
  opened: string | null;
  /** The delivery being sent again. */
  active: string | null;
  problem: UiTextOrString | null;
  about: string | null;
};

type Listed = Pick<DeliveriesContext, "items" | "next">;

/** Appends the known older deliveries to a refresh: a page may have loaded while it was running. */
function withOlder(fresh: Listed, { items, next }: Listed): Listed {
  const end = items.findIndex(({ id }) => id === fresh.items.at(-1)?.id);
  const older = fresh.next === null || end === -1 ? [] : items.slice(end + 1);
  return older.length === 0 ? fresh : { items: [...fresh.items, ...older], next };
}

/**
 * The deliveries of one webhook and their outcomes. A delivery in progress is not sent again, and a disabled webhook sends nothing. The
 * next page loads only while the list is current, so it never continues an outdated list.
 */
export const createWebhookDeliveries = (
  page: Page,
  { onChanged, webhooks = createWebhooksGateway(page.http) }: WebhookDeliveriesParts,
) =>
  setup({
    types: {
      input: {} as { id: string },
      context: {} as DeliveriesContext,
      events: {} as
        | ReadingEvent
        | { type: "delivery.open"; id: string }
        | { type: "delivery.close" }
        | { type: "delivery.replay"; id: string }
        | { type: "webhook.test" }
        | { type: "webhook.enable" }
        | { type: "older.load" },
      tags: {} as ReadingTag,
    },
    actors: {
      fetchDeliveries: fetching(
        async ({ id, count }: { id: string; count: number }, signal: AbortSignal): Promise<Deliveries> => {
          const [all, newest] = await Promise.all([
            webhooks.list(signal),
            readNewest(
              count,
              async (before) => (await webhooks.listDeliveries({ id, before, limit: PAGE }, signal)) ?? END,
              (delivery) => delivery.id,
            ),
          ]);
          return { webhook: all.find((webhook) => webhook.id === id) ?? null, ...newest };
        },
      ),
      fetchOlder: fetching(async ({ id, before }: { id: string; before: string }, signal: AbortSignal) => ({
        page: (await webhooks.listDeliveries({ id, before, limit: PAGE }, signal)) ?? END,
        before,
      })),
      replayDelivery: writing(page, webhooks.replay, {
        done: msg`The event is being sent again.`,
        failed: REPLAY_FAILED,
      }),
      sendTest: writing(page, webhooks.test, { done: msg`A test event is on its way.`, failed: TEST_FAILED }),
      enableWebhook: writing(page, ({ id }: { id: string }) => webhooks.change({ id, enabled: true }), {
        done: msg`The webhook is enabled.`,
        failed: ENABLE_FAILED,
      }),
      watchWebhook: watchingReturns(onChanged),
    },
    actions: {
      storeDeliveries: assign(({ context }, { webhook, ...fresh }: Deliveries) => {
        const known = withOlder(fresh, context);
        const isListed = known.items.some(({ id }) => id === context.opened);
        return { webhook, ...known, opened: isListed ? context.opened : null };
      }),
      storeOlder: assign(({ context }, older: OlderPage<WebhookDelivery>) => withOlderPage(context, older)),
      storeSent: assign(({ context }, delivery: WebhookDelivery) => ({
        items: [delivery, ...context.items.filter(({ id }) => id !== delivery.id)],
      })),
      open: assign((_, { id }: { id: string }) => ({ opened: id })),
      close: assign({ opened: null }),
      choose: assign((_, { id }: { id: string }) => ({ active: id })),
      clearActive: assign({ active: null }),
      forgetProblem: assign({ problem: null }),
      storeProblem: assign(problemAbout(({ active }: DeliveriesContext) => active)),
      announce: (_args, { message }: { message: UiTextOrString }) => page.notifier.toast(message),
      refresh: raise({ type: "reading.refresh" }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isClosed: ({ context: { items, opened } }, { id }: { id: string }) =>
        opened !== id && items.some((item) => item.id === id),
      isOpen: ({ context }) => context.opened !== null,
      canReplay: ({ context: { webhook, items } }, { id }: { id: string }) =>
        webhook?.enabled === true && items.some((item) => item.id === id && item.state !== "pending"),
      isEnabled: ({ context }) => context.webhook?.enabled === true,
      isDisabled: ({ context }) => context.webhook?.enabled === false,
      canGrow: and([({ context }) => context.next !== null, stateIn({ list: { shown: "current" } })]),
    },
  }).createMachine({
    id: "webhookDeliveries",
    context: ({ input }) => ({
      id: input.id,
      webhook: null,
      items: [],
      next: null,
      opened: null,
      active: null,
      problem: null,
      about: null,
    }),
    invoke: { id: "watchWebhook", src: "watchWebhook" },
    type: "parallel",
    on: {
      "delivery.open": { guard: withEvent("isClosed"), actions: withEvent("open") },
      "delivery.close": { guard: "isOpen", actions: "close" },
    },
    states: {
      list: loadRegion({
        src: "fetchDeliveries",
        store: "storeDeliveries",
        what: msg`the deliveries`,
        input: ({ context }: { context: DeliveriesContext }) => ({
          id: context.id,
          count: Math.max(PAGE, context.items.length),
        }),
      }),
      older: olderPages({
        guard: "canGrow",
        input: ({ context }: { context: DeliveriesContext }) => ({ id: context.id, before: context.next ?? "" }),
      }),
      work: {
        initial: "resting",
        states: {
          resting: {
            entry: "clearActive",
            on: {
              "delivery.replay": {
                guard: withEvent("canReplay"),
                target: "replaying",
                actions: ["forgetProblem", withEvent("choose")],
              },
              "webhook.test": { guard: "isEnabled", target: "testing", actions: "forgetProblem" },
              "webhook.enable": { guard: "isDisabled", target: "enabling", actions: "forgetProblem" },
            },
          },
          replaying: {
            invoke: {
              id: "replayDelivery",
              src: "replayDelivery",
              input: ({ context }) => ({ id: context.id, delivery: context.active ?? "" }),
              onDone: {
                target: "resting",
                actions: [
                  withOutput("storeSent"),
                  { type: "announce", params: { message: msg`Being sent again: see the first line.` } },
                  "refresh",
                ],
              },
              onError: {
                target: "resting",
                actions: [...failed(REPLAY_FAILED, "a delivery was not sent again"), "refresh"],
              },
            },
          },
          testing: {
            invoke: {
              id: "sendTest",
              src: "sendTest",
              input: ({ context }) => ({ id: context.id }),
              onDone: {
                target: "resting",
                actions: [
                  withOutput("storeSent"),
                  { type: "announce", params: { message: msg`A test event is on its way: see the first line.` } },
                  "refresh",
                ],
              },
              onError: {
                target: "resting",
                actions: [...failed(TEST_FAILED, "a webhook was not tested"), "refresh"],
              },
            },
          },
          enabling: {
            invoke: {
              id: "enableWebhook",
              src: "enableWebhook",
              input: ({ context }) => ({ id: context.id }),
              onDone: {
                target: "resting",
                actions: [{ type: "announce", params: { message: msg`The webhook is enabled.` } }, "refresh"],
              },
              onError: {
                target: "resting",
                actions: [...failed(ENABLE_FAILED, "a webhook was not enabled"), "refresh"],
              },
            },
          },
        },
      },
    },
  });

export const WebhookDeliveries = createChart<typeof createWebhookDeliveries>("webhookDeliveries");
