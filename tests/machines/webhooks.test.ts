import { describe, expect, it, vi } from "vitest";
import { createActor } from "xstate";
import {
  type WebhooksGateway,
  createWebhooks,
  selectIsKept,
  webhooksMachine,
} from "../../src/machines/webhooks/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { SECRET, dead, hook, refusal, webhooksModel } from "./webhooks.model.ts";

walkEveryPath(webhooksMachine, webhooksModel);

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

  it("is switched off and on, the one at a time", async () => {
    const { chart, told, is } = start();
    await is("resting");
    chart.send({ type: "webhook.switch", id: hook.id });
    expect(chart.getSnapshot().can({ type: "webhook.switch", id: dead.id })).toEqual(false);
    await is("resting");
    chart.send({ type: "webhook.switch", id: dead.id });
    await is("resting");
    expect(told).toEqual([
      ["change", { id: hook.id, enabled: false }],
      ["change", { id: dead.id, enabled: true }],
    ]);
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
