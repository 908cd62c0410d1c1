import { fromPromise } from "xstate";
import type { Webhook } from "../../../domain/webhook.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import type { FailureText } from "../kit/failed.ts";
import { type Notifier, confirming } from "../kit/speaking.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

/** A webhook as it is asked for: where it goes and what it tells of. */
export type WebhookForm = { url: string; events: readonly string[] };
/** `id` null is a new one. */
export type WebhookSave = { id: string | null; form: WebhookForm };
/** `secret` signs its deliveries and comes with a new one alone. */
export type WebhookSaved = { secret: string | null };

export type WebhooksGateway = {
  list(signal: AbortSignal): Promise<readonly Webhook[]>;
  add(input: WebhookForm): Promise<{ secret: string }>;
  change(input: { id: string } & Partial<WebhookForm & { enabled: boolean }>): Promise<unknown>;
  /** A webhook that is gone already counts as deleted. */
  remove(input: { id: string }): Promise<void>;
};

export type WebhooksDeps = WritingDeps & {
  webhooks: WebhooksGateway;
  notifier: Pick<Notifier, "toast" | "warn" | "confirm">;
  /** Rejects where the browser does not let the page copy. */
  copyText: (text: string) => Promise<void>;
  /** Calls back when a webhook may have changed. */
  onChanged: (listener: () => void) => () => void;
};

/** Without an answer nobody knows whether there is a webhook now, and its secret would be lost. */
const ADD_FAILED: FailureText = {
  refused: "The webhook was not added. Try again.",
  unknown: "The webhook may have been added. Try again: you get the same webhook, with a secret to copy.",
};
export const CHANGE_FAILED: FailureText = {
  refused: "The webhook was not changed. Try again.",
  unknown: "The webhook may have been changed.",
};
export const DELETE_FAILED: FailureText = {
  refused: "The webhook was not deleted. Try again.",
  unknown: "The webhook may have been deleted.",
};

export const placeholderActors = {
  listWebhooks: notProvided<readonly Webhook[], void>("listWebhooks"),
  saveWebhook: notProvided<WebhookSaved, WebhookSave>("saveWebhook"),
  copyText: notProvided<void, { text: string }>("copyText"),
  switchWebhook: notProvided<void, { id: string; enabled: boolean }>("switchWebhook"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  removeWebhook: notProvided<void, { id: string }>("removeWebhook"),
  watchWebhooks: unwatched,
};

export const saveFailed = (id: string | null): FailureText => (id === null ? ADD_FAILED : CHANGE_FAILED);

export const createWebhooksActors = ({
  webhooks,
  copyText,
  onChanged,
  ...page
}: WebhooksDeps): typeof placeholderActors => ({
  listWebhooks: fromPromise(({ signal }) => webhooks.list(signal)),
  saveWebhook: writing<WebhookSaved, WebhookSave>(
    page,
    async ({ id, form }) => {
      if (id === null) return { secret: (await webhooks.add(form)).secret };
      await webhooks.change({ id, ...form });
      return { secret: null };
    },
    {
      done: ({ secret }, { form }) =>
        secret === null
          ? "Webhook saved."
          : {
              // Nobody is there to be shown the secret.
              failed: `The webhook to ${form.url} was added after you had left, and its signing secret was not shown. Delete it and add it again.`,
            },
      failed: (_, { id }) => saveFailed(id),
    },
  ),
  copyText: fromPromise(({ input }) => copyText(input.text)),
  switchWebhook: writing<void, { id: string; enabled: boolean }>(
    page,
    async (input) => {
      await webhooks.change(input);
    },
    {
      done: (_, { enabled }) => (enabled ? "The webhook is enabled." : "The webhook is disabled."),
      failed: CHANGE_FAILED,
    },
  ),
  askConfirmation: confirming(page.notifier),
  removeWebhook: writing<void, { id: string }>(page, (input) => webhooks.remove(input), {
    done: "The webhook was deleted.",
    failed: DELETE_FAILED,
  }),
  watchWebhooks: watchingReturns(onChanged),
});
