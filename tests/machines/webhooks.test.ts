import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, createActor } from "xstate";
import {
  type WebhooksGateway,
  createWebhooks,
  selectIsKept,
  webhooksMachine,
} from "../../src/machines/webhooks/index.ts";
import type { Invariants, Visit } from "../support/invariants.ts";
import { askingInvariant, revealingInvariants } from "../support/kit-invariants.ts";
import { isCalling, readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { SECRET, dead, hook, refusal, webhooksModel } from "./webhooks.model.ts";

type Hooks = ContextFrom<typeof webhooksMachine>;

const blank = { url: "", events: [] };
const QUESTION = `Delete the webhook to ${hook.url}?\n\nIts deliveries go with it, and what still waits is not delivered. This cannot be undone.`;
const ADD_FAILED =
  "No response from the server. The webhook may have been added. Try again: you get the same webhook, with a secret to copy.";
const CHANGE_FAILED = "No response from the server. The webhook may have been changed.";
const DISMISSAL =
  "You have not copied the signing secret. It is shown only now and cannot be brought back.\n\nClose it?";

const refusedBy = (id: string, problem: string) => ({
  [`error ${id}`]: ({ before, context }: Visit<Hooks>) => {
    expect(context.webhooks).toEqual(before.webhooks);
    expect([context.problem, context.about]).toEqual([problem, before.active?.id]);
  },
});

const missingIn = ({ url, events }: Hooks["form"]) => ({
  ...(url === "" && { url: "Give the address." }),
  ...(events.length === 0 && { events: "Choose an event at least." }),
});

const invariants: Invariants<typeof webhooksMachine> = {
  "*": {
    holds: ({ context, effects, cause }) => {
      if (cause.endsWith(" copyText")) expect(context.secret).toEqual(SECRET);
      expect("announceDeleted" in effects).toEqual(cause === "done removeWebhook");
    },
  },
  ...readingInvariants<Hooks>("list.", "listWebhooks", "webhooks", {
    starts: [
      "done saveWebhook",
      "error saveWebhook",
      "done switchWebhook",
      "error switchWebhook",
      "done removeWebhook",
      "error removeWebhook",
    ],
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
      ...refusedBy("removeWebhook", "No response from the server. The webhook may have been deleted."),
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
      "form.change": ({ event, before, context }) =>
        expect(context).toEqual({ ...before, form: { ...before.form, ...event.change }, problem: null, refused: {} }),
      "form.submit": ({ before, context }) => {
        expect(context.refused).not.toEqual({});
        expect(context).toEqual({ ...before, problem: null, refused: missingIn(before.form) });
      },
      "error saveWebhook": ({ event, before, context }) => {
        const [problem, refused] =
          event.error === refusal
            ? ["The webhook cannot be saved so.", refusal.body.fields]
            : [before.active ? CHANGE_FAILED : ADD_FAILED, {}];
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
  "work.awaitingConfirmation": askingInvariant(QUESTION, ["webhook.delete"]),
  "work.deleting": {
    after: { "done askConfirmation": ({ event }) => expect(event.output).toEqual(true) },
    holds: isCalling("removeWebhook", { id: hook.id }),
  },
};

walkEveryPath(webhooksMachine, webhooksModel, invariants);

function start(gateway: Partial<WebhooksGateway> = {}, answer = true) {
  const told: unknown[] = [];
  const logic = createWebhooks({
    webhooks: {
      list: async () => [hook, dead],
      async add(form) {
        told.push(["add", form]);
        return { secret: SECRET };
      },
      change: async (input) => told.push(["change", input]),
      remove: async ({ id }) => void told.push(["remove", id]),
      ...gateway,
    },
    copyText: async (text) => void told.push(["copied", text]),
    onChanged: () => () => {},
    notifier: {
      toast: (words) => told.push(words),
      warn: (words) => told.push(["warning", words]),
      async confirm(words) {
        told.push(["question", words]);
        return answer;
      },
    },
    logger: { warn: () => {} },
  });
  const chart = createActor(logic).start();
  const is = (work: string) =>
    vi.waitFor(() => expect(chart.getSnapshot().value).toEqual({ list: { shown: "current" }, work }));
  return { chart, told, is };
}
const form = { url: "https://n8n.example.com/hook", events: ["lead.created"] };

describe("a webhook", () => {
  it("shows what signs its deliveries once, and asks before that goes uncopied", async () => {
    const { chart, told, is } = start({}, false);
    await is("resting");
    chart.send({ type: "webhook.add", form: { url: form.url, events: [] } });
    chart.send({ type: "form.submit" });
    expect(chart.getSnapshot().context.refused).toEqual({ events: "Choose an event at least." });
    chart.send({ type: "form.change", change: { events: form.events } });
    chart.send({ type: "form.submit" });
    await is("revealed");
    chart.send({ type: "secret.dismiss" });
    await is("revealed");
    expect([chart.getSnapshot().context.secret, selectIsKept(chart.getSnapshot())]).toEqual([SECRET, false]);
    chart.send({ type: "secret.copy", what: "secret" });
    await is("revealed");
    chart.send({ type: "secret.dismiss" });
    await is("resting");
    expect(JSON.stringify(chart.getSnapshot().context)).not.toContain(SECRET);
    expect(told).toEqual([
      ["add", form],
      [
        "question",
        "You have not copied the signing secret. It is shown only now and cannot be brought back.\n\nClose it?",
      ],
      ["copied", SECRET],
    ]);
  });

  it("is changed without a new secret, and refused in the API's own words at the field that is at fault", async () => {
    let isRefused = true;
    const { chart, is } = start({
      async change() {
        if (isRefused) throw refusal;
      },
    });
    await is("resting");
    chart.send({ type: "webhook.edit", id: hook.id, form });
    chart.send({ type: "form.submit" });
    await is("editing");
    expect(chart.getSnapshot().context.refused).toEqual({
      url: "Must be a public address.",
      events: "Choose at least one.",
    });
    isRefused = false;
    chart.send({ type: "form.submit" });
    await is("resting");
    expect(chart.getSnapshot().context).toMatchObject({ problem: null, secret: null, active: null });
  });

  it("is deleted after a question that says what goes with it", async () => {
    const { chart, told, is } = start();
    await is("resting");
    chart.send({ type: "webhook.delete", id: hook.id });
    await vi.waitFor(() => expect(told).toHaveLength(3));
    await is("resting");
    expect(told).toEqual([
      [
        "question",
        `Delete the webhook to ${hook.url}?\n\nIts deliveries go with it, and what still waits is not delivered. This cannot be undone.`,
      ],
      ["remove", hook.id],
      "The webhook was deleted.",
    ]);
  });
});
