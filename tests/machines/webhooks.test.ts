import { expect, it } from "vitest";
import { webhookDraft, createWebhooks, selectIsSecretSaved } from "../../src/machines/webhooks/webhooks.machine.ts";
import {
  type ContextOf,
  type Visit,
  confirmationInvariant,
  confirmedInvariant,
  editsForm,
  isCalling,
  readingInvariants,
  revealingInvariants,
  walkEveryPath,
} from "../support/invariants.ts";
import { failureText, unanswered } from "../support/model.ts";
import { fakePage, openJourney } from "../support/page.ts";
import { SECRET, dead, hook, refusal, refusedFields, webhooksModel } from "./webhooks.model.ts";

type Hooks = ContextOf<typeof webhooksModel>;

const blank = { url: "", events: [] };
const QUESTION = `Delete the webhook to ${hook.url}?\n\nIts deliveries are deleted too, and events that are still waiting are not delivered. This cannot be undone.`;
const ADD_FAILED = "The webhook may have been added. Try again: you get the same webhook, with a secret to copy.";
const CHANGE_FAILED = "The webhook may have been changed.";
const DISMISSAL = "You have not copied the signing secret. It is shown only once and cannot be recovered.\n\nClose it?";

const refusedBy = (id: string, unknown: string) => ({
  [`error ${id}`]: ({ before, context, event }: Visit<Hooks>) => {
    expect(context.webhooks).toEqual(before.webhooks);
    expect([context.problem, context.about]).toEqual([failureText(event, unknown), before.active?.id]);
  },
});

const missingIn = ({ url, events }: Hooks["form"]) => ({
  ...(url === "" && { url: "Enter the address." }),
  ...(events.length === 0 && { events: "Choose at least one event." }),
});

walkEveryPath(webhooksModel, {
  "*": {
    holds: ({ context, effects, cause }) => {
      if (cause.endsWith(" copyText")) expect(context.secret).toEqual(SECRET);
      expect("announceDeleted" in effects).toEqual(cause === "done removeWebhook");
    },
  },
  ...readingInvariants("list.", "listWebhooks", "webhooks", {
    starts: ["save", "switch", "remove"].flatMap((work) => [`done ${work}Webhook`, `error ${work}Webhook`]),
  }),
  "work.resting": {
    after: {
      start: null,
      "form.cancel": ({ context }) => expect(context.problem).toEqual(null),
      "done saveWebhook": ({ event, context }) =>
        expect([event.output, context.problem]).toEqual([{ secret: null }, null]),
      "secret.dismiss": ({ before }) => expect(Object.values(before.copied)).toContain("copied"),
      "done switchWebhook": ({ context }) => expect(context.problem).toEqual(null),
      ...refusedBy("switchWebhook", CHANGE_FAILED),
      "done askConfirmation": ({ event, before, context }) => {
        expect(context.webhooks).toEqual(before.webhooks);
        expect(event.output).toEqual(before.secret !== null);
      },
      "error askConfirmation": ({ before }) => expect(before.secret).toEqual(null),
      "done removeWebhook": ({ before, context }) =>
        expect(context.webhooks).toEqual(before.webhooks.filter(({ id }) => id !== hook.id)),
      ...refusedBy("removeWebhook", "The webhook may have been deleted."),
    },
    accepts: ({ webhooks }) => [
      "webhook.add",
      ...(webhooks.some(({ id }) => id === hook.id) ? ["webhook.edit", "webhook.delete"] : []),
      ...(webhooks.length > 0 ? ["webhook.switch"] : []),
    ],
    holds: ({ context }) =>
      expect(context).toMatchObject({
        active: null,
        secret: null,
        form: blank,
        refused: {},
        copying: null,
        copied: {},
      }),
  },
  "work.editing": {
    after: {
      "webhook.add": ({ context }) => expect(context).toMatchObject({ active: null, form: blank, problem: null }),
      "webhook.edit": ({ context }) =>
        expect(context).toMatchObject({ active: hook, form: { url: hook.url, events: hook.events }, problem: null }),
      "form.change": editsForm,
      "form.submit": ({ before, context }) => {
        expect(context.refused).not.toEqual({});
        expect(context).toEqual({ ...before, problem: null, refused: missingIn(before.form) });
      },
      "error saveWebhook": ({ event, before, context }) => {
        const [problem, refused] =
          event.error === refusal
            ? ["The webhook cannot be saved so.", refusedFields]
            : [unanswered(before.active ? CHANGE_FAILED : ADD_FAILED), {}];
        expect(context).toEqual({ ...before, problem, about: before.active?.id ?? null, refused });
      },
    },
    accepts: ["form.change", "form.cancel", "form.submit"],
    holds: ({ context }) => expect(context.secret).toEqual(null),
  },
  "work.saving": {
    after: { "form.submit": ({ before }) => expect(missingIn(before.form)).toEqual({}) },
    holds: ({ context: { active, form }, calls }) =>
      isCalling("saveWebhook", { id: active?.id ?? null, form })({ calls }),
  },
  ...revealingInvariants("work.", {
    shows: {
      "done saveWebhook": ({ context }) =>
        expect(context).toMatchObject({ form: blank, secret: SECRET, problem: null, copied: {} }),
    },
    text: () => SECRET,
    question: DISMISSAL,
  }),
  "work.switching": {
    after: ["webhook.switch"],
    holds: ({ context: { active, problem }, calls }) => {
      expect(problem).toEqual(null);
      isCalling("switchWebhook", { id: active?.id, enabled: active?.id === dead.id })({ calls });
    },
  },
  "work.awaitingConfirmation": confirmationInvariant(QUESTION, ["webhook.delete"]),
  "work.deleting": confirmedInvariant("removeWebhook", { id: hook.id }),
});

it("saves a webhook, shows its secret once, and warns of a secret not shown", async () => {
  const page = fakePage();
  const sent: unknown[] = [];
  const logic = createWebhooks(page, {
    webhooks: {
      list: async () => [hook, dead],
      add: async (input) => (sent.push(input), { ...hook, secret: SECRET }),
      change: async (input) => sent.push(input),
      remove: async (input) => void sent.push(input),
    },
    copy: async (text) => void sent.push(text),
    onChanged: () => () => {},
  });
  const { leave, go, snapshot, context } = await openJourney(logic);
  const form = { url: "https://n8n.example.com/hook", events: ["lead.created"] };
  webhookDraft(page.drafts).write({ at: "new", url: form.url, events: [] }, {});
  await go({ type: "webhook.add", form }, { type: "form.submit" });
  expect([selectIsSecretSaved(snapshot()), webhookDraft(page.drafts).read()]).toEqual([false, null]);
  await go({ type: "secret.copy", what: "secret" });
  expect(selectIsSecretSaved(snapshot())).toEqual(true);
  await go({ type: "secret.dismiss" });
  expect(JSON.stringify(context())).not.toContain(SECRET);
  await go({ type: "webhook.edit", id: hook.id, form }, { type: "form.submit" });
  await go({ type: "webhook.delete", id: hook.id });
  expect([sent, page.notices.splice(0).at(-1)]).toEqual([
    [form, SECRET, { id: hook.id, ...form }, { id: hook.id }],
    "The webhook was deleted.",
  ]);
  void go({ type: "webhook.add", form }, { type: "form.submit" });
  await leave();
  expect(page.notices).toEqual([
    [
      "warning",
      "The webhook to https://n8n.example.com/hook was added after you left, so its signing secret was not shown. Delete it and add it again.",
    ],
  ]);
});
