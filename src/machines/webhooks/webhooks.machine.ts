import * as v from "valibot";
import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, assign, raise, setup } from "xstate";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import type { Webhook } from "../../../domain/webhook.ts";
import { copyText } from "../../services/browser.ts";
import { createWebhooksGateway } from "../../services/webhooks.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { confirmState, confirming, isConfirmed } from "../kit/confirming.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { loadRegion, watchingReturns } from "../kit/refreshing.ts";
import { type Copies, NO_COPIES, type RevealingEvent, isCopied, revealing, withCopy } from "../kit/revealing.ts";
import { type FailureText, failed, refusedAbout, writing } from "../kit/writing.ts";

export type WebhooksParts = {
  onChanged: (listener: () => void) => () => void;
  webhooks?: Pick<ReturnType<typeof createWebhooksGateway>, "list" | "add" | "change" | "remove">;
  copy?: typeof copyText;
};

export type WebhookForm = { url: string; events: readonly string[] };
/** `secret` signs its deliveries; only a new webhook returns one. */
type WebhookSaved = { secret: string | null };

/** The unsaved form; `at` is the webhook's id, or a marker for a new one. */
export const webhookDraft = (drafts: Page["drafts"]) =>
  drafts.of("a webhook", { at: v.string(), url: v.string(), events: v.array(v.string()) });

/** Without a response, the webhook may exist, and its secret would be lost. */
const ADD_FAILED: FailureText = {
  refused: msg`The webhook was not added. Try again.`,
  unknown: msg`The webhook may have been added. Try again: you get the same webhook, with a secret to copy.`,
};
const CHANGE_FAILED: FailureText = {
  refused: msg`The webhook was not changed. Try again.`,
  unknown: msg`The webhook may have been changed.`,
};
const DELETE_FAILED: FailureText = {
  refused: msg`The webhook was not deleted. Try again.`,
  unknown: msg`The webhook may have been deleted.`,
};

const saveFailed = (id: string | null): FailureText => (id === null ? ADD_FAILED : CHANGE_FAILED);

type WebhooksContext = Copies & {
  webhooks: readonly Webhook[];
  /** The webhook being edited; null for a new one or none. */
  active: Webhook | null;
  form: WebhookForm;
  /** The signing secret of the new webhook, while it is shown. */
  secret: string | null;
  problem: UiTextOrString | null;
  about: string | null;
  /** The API's problems of single fields. */
  refused: Readonly<Record<string, UiTextOrString>>;
};

export const BLANK_WEBHOOK: WebhookForm = { url: "", events: [] };

/** Returns the missing fields of a webhook. */
const missingIn = ({ url, events }: WebhookForm): Readonly<Record<string, UiText>> => ({
  ...(url.trim() === "" && { url: msg`Enter the address.` }),
  ...(events.length === 0 && { events: msg`Choose at least one event.` }),
});

const DISMISSAL = msg`You have not copied the signing secret. It is shown only once and cannot be recovered.\n\nClose it?`;

const questionOf = ({ active }: WebhooksContext): UiText =>
  msg`Delete the webhook to ${{ address: active?.url ?? "" }}?\n\nIts deliveries are deleted too, and events that are still waiting are not delivered. This cannot be undone.`;

/**
 * Addresses that receive events. The secret of a new webhook is shown once, until the user copies it or confirms closing it, and is then
 * removed from context. One is saved or switched at a time.
 */
export const createWebhooks = (
  page: Page,
  { onChanged, webhooks = createWebhooksGateway(page.http), copy = copyText }: WebhooksParts,
) =>
  setup({
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
    actors: {
      listWebhooks: fetching(webhooks.list),
      saveWebhook: writing(
        page,
        async ({ id, form }: { id: string | null; form: WebhookForm }): Promise<WebhookSaved> => {
          const secret = id === null ? (await webhooks.add(form)).secret : null;
          if (id !== null) await webhooks.change({ id, ...form });
          webhookDraft(page.drafts).forget();
          return { secret };
        },
        {
          done: ({ secret }, { form }) =>
            secret === null
              ? msg`Webhook saved.`
              : {
                  // The user has left, so the secret cannot be shown.
                  failed: msg`The webhook to ${{ address: form.url }} was added after you left, so its signing secret was not shown. Delete it and add it again.`,
                },
          failed: (_, { id }) => saveFailed(id),
        },
      ),
      copyText: fetching(({ text }: { text: string }) => copy(text)),
      switchWebhook: writing(page, (input: { id: string; enabled: boolean }) => webhooks.change(input), {
        done: (_, { enabled }) => (enabled ? msg`The webhook is enabled.` : msg`The webhook is disabled.`),
        failed: CHANGE_FAILED,
      }),
      askConfirmation: confirming(page.notifier),
      removeWebhook: writing(page, webhooks.remove, { done: msg`The webhook was deleted.`, failed: DELETE_FAILED }),
      watchWebhooks: watchingReturns(onChanged),
    },
    actions: {
      storeWebhooks: assign((_, listed: readonly Webhook[]) => ({ webhooks: listed })),
      startForm: assign((_, { form }: { form: WebhookForm }) => ({ form, problem: null, refused: {} })),
      storeForm: assign(({ context }, { change }: { change: Partial<WebhookForm> }) => ({
        form: { ...context.form, ...change },
        problem: null,
        refused: {},
      })),
      markMissing: assign(({ context: { form } }) => ({ problem: null, refused: missingIn(form) })),
      storeSecret: assign((_, { secret }: WebhookSaved) => ({
        secret,
        form: BLANK_WEBHOOK,
        problem: null,
        refused: {},
      })),
      storeCopying: assign((_, { what }: { what: string }) => ({ copying: what })),
      storeCopied: assign(({ context }, { outcome }: { outcome: "copied" | "refused" }) => withCopy(context, outcome)),
      choose: assign(({ context }, { id }: { id: string }) => ({
        active: context.webhooks.find((webhook) => webhook.id === id) ?? null,
        problem: null,
      })),
      clearActive: assign({ ...NO_COPIES, active: null, secret: null, form: BLANK_WEBHOOK, refused: {} }),
      dropActive: assign(({ context }) => ({
        webhooks: context.webhooks.filter(({ id }) => id !== context.active?.id),
      })),
      storeProblem: assign(refusedAbout(({ active }: WebhooksContext) => active?.id ?? null)),
      forgetProblem: assign({ problem: null }),
      announceDeleted: () => page.notifier.toast(msg`The webhook was deleted.`),
      refresh: raise({ type: "reading.refresh" }),
      reportFailure: createReporter(page.logger),
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
      list: loadRegion({ src: "listWebhooks", store: "storeWebhooks", what: msg`the webhooks` }),
      work: {
        initial: "resting",
        states: {
          resting: {
            entry: "clearActive",
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
          awaitingConfirmation: confirmState(
            ({ context }: { context: WebhooksContext }) => ({ message: questionOf(context) }),
            { yes: "deleting", no: "resting" },
          ),
          deleting: {
            invoke: {
              id: "removeWebhook",
              src: "removeWebhook",
              input: ({ context }) => ({ id: context.active?.id ?? "" }),
              onDone: { target: "resting", actions: ["announceDeleted", "dropActive", "refresh"] },
              onError: {
                target: "resting",
                actions: [...failed(DELETE_FAILED, "a webhook was not deleted"), "refresh"],
              },
            },
          },
        },
      },
    },
  });

export const Webhooks = createChart<typeof createWebhooks>("webhooks");

type Snapshot = SnapshotFrom<typeof createWebhooks>;

/** Whether the form of one webhook is open. */
export const selectIsEditing = (chart: Snapshot): boolean =>
  chart.matches({ work: "editing" }) || chart.matches({ work: "saving" });
/** Whether leaving loses nothing: no secret is shown, or it was copied. */
export const selectIsSecretSaved = ({ context }: Snapshot): boolean => context.secret === null || isCopied(context);
