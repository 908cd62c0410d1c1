import { type SnapshotFrom, assign, raise, setup } from "xstate";
import type { Webhook } from "../../../domain/webhook.ts";
import { asking, isConfirmed } from "../kit/asking.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { type ReadingEvent, type ReadingTag, reading } from "../kit/reading.ts";
import { failed, refusedAbout } from "../kit/failed.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { type Copies, NO_COPIES, type RevealingEvent, isCopied, revealing, withCopy } from "../kit/revealing.ts";
import {
  CHANGE_FAILED,
  DELETE_FAILED,
  type WebhookForm,
  type WebhookSaved,
  saveFailed,
  placeholderActors,
} from "./webhooks.actors.ts";

type WebhooksContext = Copies & {
  webhooks: readonly Webhook[];
  /** The one in hand; null while a new one is written, or none is. */
  active: Webhook | null;
  form: WebhookForm;
  /** What signs the deliveries of the webhook that was added a moment ago, for as long as it is shown. */
  secret: string | null;
  problem: string | null;
  about: string | null;
  /** What the API says of single fields. */
  refused: Readonly<Record<string, string>>;
};

export const BLANK_WEBHOOK: WebhookForm = { url: "", events: [] };

/** What a webhook cannot do without, by field. */
const missingIn = ({ url, events }: WebhookForm): Readonly<Record<string, string>> => ({
  ...(url.trim() === "" && { url: "Give the address." }),
  ...(events.length === 0 && { events: "Choose an event at least." }),
});

const DISMISSAL =
  "You have not copied the signing secret. It is shown only now and cannot be brought back.\n\nClose it?";

const questionOf = ({ active }: WebhooksContext): string =>
  `Delete the webhook to ${active?.url ?? ""}?\n\nIts deliveries go with it, and what still waits is not delivered. This cannot be undone.`;

/**
 * Addresses that are told of what happens. The secret of a new one is shown once: it goes when the person has copied it or says that
 * it may go, and stands nowhere afterwards. One is written or switched at a time.
 */
export const webhooksMachine = setup({
  types: {
    context: {} as WebhooksContext,
    events: {} as
      | ReadingEvent
      | RevealingEvent
      | { type: "webhook.add"; form: WebhookForm }
      | { type: "webhook.edit"; id: string; form: WebhookForm }
      | { type: "webhook.switch"; id: string }
      | { type: "webhook.delete"; id: string }
      | { type: "form.change"; change: Partial<WebhookForm> }
      | { type: "form.cancel" }
      | { type: "form.submit" },
    tags: {} as ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    storeWebhooks: assign((_, webhooks: readonly Webhook[]) => ({ webhooks })),
    startForm: assign((_, { form }: { form: WebhookForm }) => ({ form, problem: null, refused: {} })),
    storeForm: assign(({ context }, { change }: { change: Partial<WebhookForm> }) => ({
      form: { ...context.form, ...change },
      problem: null,
      refused: {},
    })),
    markMissing: assign(({ context: { form } }) => ({ problem: null, refused: missingIn(form) })),
    storeSecret: assign((_, { secret }: WebhookSaved) => ({ secret, form: BLANK_WEBHOOK, problem: null, refused: {} })),
    storeCopying: assign((_, { what }: { what: string }) => ({ copying: what })),
    storeCopied: assign(({ context }, { outcome }: { outcome: "copied" | "refused" }) => withCopy(context, outcome)),
    choose: assign(({ context }, { id }: { id: string }) => ({
      active: context.webhooks.find((webhook) => webhook.id === id) ?? null,
      problem: null,
    })),
    letGo: assign({ ...NO_COPIES, active: null, secret: null, form: BLANK_WEBHOOK, refused: {} }),
    dropActive: assign(({ context }) => ({ webhooks: context.webhooks.filter(({ id }) => id !== context.active?.id) })),
    storeProblem: assign(refusedAbout(({ active }: WebhooksContext) => active?.id ?? null)),
    forgetProblem: assign({ problem: null }),
    announceDeleted: () => {},
    refresh: raise({ type: "reading.refresh" }),
    reportFailure: unreported,
  },
  guards: {
    isListed: ({ context }, { id }: { id: string }) => context.webhooks.some((webhook) => webhook.id === id),
    canSave: ({ context: { form } }) => Object.keys(missingIn(form)).length === 0,
    isNew: (_, { secret }: WebhookSaved) => secret !== null,
    hasCopied: ({ context }) => isCopied(context),
    isConfirmed,
  },
}).createMachine({
  id: "webhooks",
  context: {
    ...NO_COPIES,
    webhooks: [],
    active: null,
    form: BLANK_WEBHOOK,
    secret: null,
    problem: null,
    about: null,
    refused: {},
  },
  invoke: { id: "watchWebhooks", src: "watchWebhooks" },
  type: "parallel",
  states: {
    list: reading({ src: "listWebhooks", store: "storeWebhooks", what: "the webhooks" }),
    work: {
      initial: "resting",
      states: {
        resting: {
          entry: "letGo",
          on: {
            "webhook.add": { target: "editing", actions: withEvent("startForm") },
            "webhook.edit": {
              guard: withEvent("isListed"),
              target: "editing",
              actions: [withEvent("choose"), withEvent("startForm")],
            },
            "webhook.switch": { guard: withEvent("isListed"), target: "switching", actions: withEvent("choose") },
            "webhook.delete": {
              guard: withEvent("isListed"),
              target: "awaitingConfirmation",
              actions: withEvent("choose"),
            },
          },
        },
        editing: {
          on: {
            "form.change": { actions: withEvent("storeForm") },
            "form.cancel": { target: "resting", actions: "forgetProblem" },
            "form.submit": [{ guard: "canSave", target: "saving" }, { actions: "markMissing" }],
          },
        },
        saving: {
          invoke: {
            id: "saveWebhook",
            src: "saveWebhook",
            input: ({ context: { active, form } }) => ({ id: active?.id ?? null, form }),
            onDone: [
              { guard: withOutput("isNew"), target: "revealed", actions: [withOutput("storeSecret"), "refresh"] },
              { target: "resting", actions: ["forgetProblem", "refresh"] },
            ],
            onError: {
              target: "editing",
              actions: [
                {
                  type: "storeProblem",
                  params: ({ event, context }) => ({
                    error: event.error,
                    text: saveFailed(context.active?.id ?? null),
                  }),
                },
                reportFailure("a webhook was not saved"),
                "refresh",
              ],
            },
          },
        },
        ...revealing({
          text: ({ context }: { context: WebhooksContext }) => ({ text: context.secret ?? "" }),
          question: DISMISSAL,
          closed: "resting",
        }),
        switching: {
          invoke: {
            id: "switchWebhook",
            src: "switchWebhook",
            input: ({ context: { active } }) => ({ id: active?.id ?? "", enabled: active?.enabled === false }),
            onDone: { target: "resting", actions: "refresh" },
            onError: {
              target: "resting",
              actions: [...failed(CHANGE_FAILED, "a webhook was not switched"), "refresh"],
            },
          },
        },
        awaitingConfirmation: asking(
          ({ context }: { context: WebhooksContext }) => ({ message: questionOf(context) }),
          { yes: "deleting", no: "resting" },
        ),
        deleting: {
          invoke: {
            id: "removeWebhook",
            src: "removeWebhook",
            input: ({ context }) => ({ id: context.active?.id ?? "" }),
            onDone: { target: "resting", actions: ["announceDeleted", "dropActive", "refresh"] },
            onError: { target: "resting", actions: [...failed(DELETE_FAILED, "a webhook was not deleted"), "refresh"] },
          },
        },
      },
    },
  },
});

export type WebhooksSnapshot = SnapshotFrom<typeof webhooksMachine>;
