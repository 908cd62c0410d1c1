import { type SnapshotFrom, and, assign, raise, setup, stateIn } from "xstate";
import type { WebhookDelivery, Webhook } from "../../../domain/webhook.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { type ReadingEvent, type ReadingTag, reading, readingOlder } from "../kit/reading.ts";
import { failed, problemAbout } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import {
  type Deliveries,
  ENABLE_FAILED,
  REPLAY_FAILED,
  TEST_FAILED,
  type OlderDeliveries,
  PAGE,
  placeholderActors,
} from "./webhook-deliveries.actors.ts";

type DeliveriesContext = {
  id: string;
  /** Null until it is read, and when there is no such webhook any more. */
  webhook: Webhook | null;
  items: readonly WebhookDelivery[];
  /** The id behind which older ones stand; null at the end. */
  next: string | null;
  /** The delivery whose body is shown. */
  opened: string | null;
  /** The delivery that is being sent again. */
  active: string | null;
  problem: string | null;
  about: string | null;
};

type Listed = Pick<DeliveriesContext, "items" | "next">;

/** A newer reading with what is known behind its end: a page may have come while it was under way. */
function withOlder(fresh: Listed, { items, next }: Listed): Listed {
  const end = items.findIndex(({ id }) => id === fresh.items.at(-1)?.id);
  const older = fresh.next === null || end === -1 ? [] : items.slice(end + 1);
  return older.length === 0 ? fresh : { items: [...fresh.items, ...older], next };
}

/**
 * What one webhook was sent and what became of it. Nothing is sent again while it is still on its way, and nothing is sent through a
 * webhook that is disabled. The list grows only while it is current, so that no page is put behind one that is being replaced.
 */
export const webhookDeliveriesMachine = setup({
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
  actors: placeholderActors,
  actions: {
    storeDeliveries: assign(({ context }, { webhook, ...fresh }: Deliveries) => {
      const known = withOlder(fresh, context);
      const isListed = known.items.some(({ id }) => id === context.opened);
      return { webhook, ...known, opened: isListed ? context.opened : null };
    }),
    // The list may have been read anew meanwhile.
    storeOlder: assign(({ context: { items, next } }, { page, before }: OlderDeliveries) =>
      next === before
        ? {
            items: [...items, ...page.items.filter(({ id }) => !items.some((item) => item.id === id))],
            next: page.next,
          }
        : {},
    ),
    storeSent: assign(({ context }, delivery: WebhookDelivery) => ({
      items: [delivery, ...context.items.filter(({ id }) => id !== delivery.id)],
    })),
    open: assign((_, { id }: { id: string }) => ({ opened: id })),
    close: assign({ opened: null }),
    choose: assign((_, { id }: { id: string }) => ({ active: id })),
    letGo: assign({ active: null }),
    forgetProblem: assign({ problem: null }),
    storeProblem: assign(problemAbout(({ active }: DeliveriesContext) => active)),
    announce: (_args, _params: { words: string }) => {},
    refresh: raise({ type: "reading.refresh" }),
    reportFailure: unreported,
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
    list: reading({
      src: "fetchDeliveries",
      store: "storeDeliveries",
      what: "the deliveries",
      input: ({ context }: { context: DeliveriesContext }) => ({
        id: context.id,
        count: Math.max(PAGE, context.items.length),
      }),
    }),
    older: readingOlder({
      guard: "canGrow",
      what: "older deliveries",
      input: ({ context }: { context: DeliveriesContext }) => ({ id: context.id, before: context.next ?? "" }),
    }),
    work: {
      initial: "resting",
      states: {
        resting: {
          entry: "letGo",
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
                { type: "announce", params: { words: "It is sent again: see the first line." } },
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
                { type: "announce", params: { words: "A test event is on its way: see the first line." } },
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
              actions: [{ type: "announce", params: { words: "The webhook is enabled." } }, "refresh"],
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

export type WebhookDeliveriesSnapshot = SnapshotFrom<typeof webhookDeliveriesMachine>;
