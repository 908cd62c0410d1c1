import { fromPromise } from "xstate";
import type { WebhookDelivery, DeliveryPage, Webhook } from "../../../domain/webhook.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import type { FailureText } from "../kit/failed.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

export type WebhookDeliveriesGateway = {
  list(signal: AbortSignal): Promise<readonly Webhook[]>;
  /** A page of a webhook's deliveries, newest first, behind `before`; null where there is no such webhook any more. */
  listDeliveries(
    request: { id: string; before: string | null; limit: number },
    signal: AbortSignal,
  ): Promise<DeliveryPage | null>;
  change(input: { id: string; enabled: boolean }): Promise<unknown>;
  /** Both resolve to the delivery that is on its way now. */
  replay(input: { id: string; delivery: string }): Promise<WebhookDelivery>;
  test(input: { id: string }): Promise<WebhookDelivery>;
};

export type WebhookDeliveriesDeps = WritingDeps & {
  webhooks: WebhookDeliveriesGateway;
  /** Calls back when the webhook or one of its deliveries may have changed. */
  onChanged: (listener: () => void) => () => void;
};

/** `webhook` null: there is no such webhook any more. */
export type Deliveries = { webhook: Webhook | null } & DeliveryPage;
/** The newest deliveries, `count` of them or a few more. */
export type DeliveriesRequest = { id: string; count: number };
export type OlderRequest = { id: string; before: string };
export type OlderDeliveries = { page: DeliveryPage; before: string };

export const PAGE = 50;
export const REPLAY_FAILED: FailureText = {
  refused: "It was not sent again. Try again.",
  unknown: "It may have been sent again.",
};
export const TEST_FAILED: FailureText = {
  refused: "No test event was sent. Try again.",
  unknown: "The test event may have been sent.",
};
export const ENABLE_FAILED: FailureText = {
  refused: "The webhook was not enabled. Try again.",
  unknown: "The webhook may have been enabled.",
};

export const placeholderActors = {
  fetchDeliveries: notProvided<Deliveries, DeliveriesRequest>("fetchDeliveries"),
  fetchOlder: notProvided<OlderDeliveries, OlderRequest>("fetchOlder"),
  replayDelivery: notProvided<WebhookDelivery, { id: string; delivery: string }>("replayDelivery"),
  sendTest: notProvided<WebhookDelivery, { id: string }>("sendTest"),
  enableWebhook: notProvided<void, { id: string }>("enableWebhook"),
  watchWebhook: unwatched,
};

const END: DeliveryPage = { items: [], next: null };

export const createWebhookDeliveriesActors = ({
  webhooks,
  onChanged,
  ...page
}: WebhookDeliveriesDeps): typeof placeholderActors => ({
  fetchDeliveries: fromPromise(async ({ input: { id, count }, signal }) => {
    const newest = async () => {
      const items = new Map<string, WebhookDelivery>();
      let next: string | null = null;
      let known = -1;
      // A page that brings nothing new is the end, whatever it says.
      while (items.size > known && (known === -1 || next !== null) && items.size < count) {
        known = items.size;
        // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
        const read: DeliveryPage = (await webhooks.listDeliveries({ id, before: next, limit: PAGE }, signal)) ?? END;
        for (const item of read.items) items.set(item.id, item);
        next = read.next;
      }
      return { items: [...items.values()], next };
    };
    const [all, deliveries] = await Promise.all([webhooks.list(signal), newest()]);
    return { webhook: all.find((webhook) => webhook.id === id) ?? null, ...deliveries };
  }),
  fetchOlder: fromPromise(async ({ input: { id, before }, signal }) => ({
    page: (await webhooks.listDeliveries({ id, before, limit: PAGE }, signal)) ?? END,
    before,
  })),
  replayDelivery: writing<WebhookDelivery, { id: string; delivery: string }>(page, (input) => webhooks.replay(input), {
    done: "The event is sent again.",
    failed: REPLAY_FAILED,
  }),
  sendTest: writing<WebhookDelivery, { id: string }>(page, (input) => webhooks.test(input), {
    done: "A test event is on its way.",
    failed: TEST_FAILED,
  }),
  enableWebhook: writing<void, { id: string }>(
    page,
    async ({ id }) => {
      await webhooks.change({ id, enabled: true });
    },
    { done: "The webhook is enabled.", failed: ENABLE_FAILED },
  ),
  watchWebhook: watchingReturns(onChanged),
});
