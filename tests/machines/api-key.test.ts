import { describe, expect, it, vi } from "vitest";
import { createActor } from "xstate";
import {
  type ApiKeyGateway,
  apiKeyMachine,
  createApiKey,
  mcpConfig,
  selectIsKept,
} from "../../src/machines/api-key/index.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { apiKeyModel, made, refusal, sheet } from "./api-key.model.ts";

walkEveryPath(apiKeyMachine, apiKeyModel);

const ORIGIN = "https://leads.example.com";

function start(
  known: { gateway?: Partial<ApiKeyGateway>; copyText?: (text: string) => Promise<void>; answer?: boolean } = {},
) {
  const told: unknown[] = [];
  const clipboard: string[] = [];
  const logic = createApiKey({
    keys: {
      list: async () => [sheet],
      create: async () => made,
      revoke: async ({ id }) => void told.push(["revoke", id]),
      ...known.gateway,
    },
    copyText: known.copyText ?? (async (text) => void clipboard.push(text)),
    onReturn: () => () => {},
    notifier: {
      toast: (words) => told.push(words),
      warn: (words) => told.push(["warning", words]),
      async confirm(words) {
        told.push(["question", words]);
        return known.answer ?? true;
      },
    },
    logger: { warn: () => {} },
  });
  const chart = createActor(logic, { input: { origin: ORIGIN } }).start();
  const is = (work: string) => vi.waitFor(() => expect(chart.getSnapshot().value).toMatchObject({ work }));
  return { chart, told, clipboard, is };
}

async function reveal(known: Parameters<typeof start>[0] = {}) {
  const started = start(known);
  started.chart.send({ type: "key.add", form: { name: "n8n", scopes: ["read"] } });
  started.chart.send({ type: "form.submit" });
  await started.is("revealed");
  return started;
}

describe("a key for a program", () => {
  it("needs a name and at least one scope", () => {
    const { chart } = start();
    const missing = () => {
      chart.send({ type: "form.submit" });
      return chart.getSnapshot().context.refused;
    };
    chart.send({ type: "key.add", form: { name: " ", scopes: ["read"] } });
    expect(missing()).toEqual({ name: "Give the key a name." });
    chart.send({ type: "form.change", change: { name: "n8n", scopes: [] } });
    expect(missing()).toEqual({ scopes: "Choose at least one of read, write, send." });
    chart.send({ type: "form.change", change: { scopes: ["send"] } });
    expect(missing()).toEqual({});
  });

  it("is copied alone or as an assistant's configuration, and then goes without a question, for good", async () => {
    const { chart, clipboard, told, is } = await reveal();
    expect(selectIsKept(chart.getSnapshot())).toEqual(false);
    chart.send({ type: "secret.copy", what: "secret" });
    await is("revealed");
    chart.send({ type: "secret.copy", what: "config" });
    await is("revealed");
    expect(clipboard).toEqual([made.secret, mcpConfig(ORIGIN, made.secret)]);
    expect(JSON.parse(clipboard[1] ?? "")).toEqual({
      mcpServers: {
        leadloom: { type: "http", url: `${ORIGIN}/mcp`, headers: { Authorization: `Bearer ${made.secret}` } },
      },
    });
    expect(selectIsKept(chart.getSnapshot())).toEqual(true);
    chart.send({ type: "secret.dismiss" });
    expect(chart.getSnapshot().value).toMatchObject({ work: "resting" });
    expect(JSON.stringify(chart.getSnapshot().context)).not.toContain(made.secret);
    expect(told).toEqual([]);
  });

  it("is not closed by accident while nothing of it was copied", async () => {
    const { chart, told, is } = await reveal({
      copyText: () => Promise.reject(new Error("not allowed")),
      answer: false,
    });
    chart.send({ type: "secret.copy", what: "secret" });
    await is("revealed");
    expect(chart.getSnapshot().context.copied).toEqual({ secret: "refused" });
    chart.send({ type: "secret.dismiss" });
    await is("revealed");
    expect([told, chart.getSnapshot().context.made?.secret]).toEqual([
      [["question", "You have not copied the key. It is shown only now and cannot be brought back.\n\nClose it?"]],
      made.secret,
    ]);
  });

  it("is refused in the API's own words, at the field that is at fault", async () => {
    const { chart, is } = start({ gateway: { create: () => Promise.reject(refusal) } });
    chart.send({ type: "key.add", form: { name: "n8n", scopes: ["read"] } });
    chart.send({ type: "form.submit" });
    await is("editing");
    const { problem, refused, form } = chart.getSnapshot().context;
    expect([problem, refused, form.name]).toEqual([
      "The key cannot be made so.",
      { name: "Give the key another name.", scopes: "Must be read, write or send." },
      "n8n",
    ]);
  });

  it("is revoked after a question that says that it is for good", async () => {
    const { chart, told, is } = start();
    await vi.waitFor(() => expect(chart.getSnapshot().value).toMatchObject({ list: { shown: "current" } }));
    chart.send({ type: "key.revoke", id: sheet.id });
    await vi.waitFor(() => expect(told).toHaveLength(3));
    await is("resting");
    expect(told).toEqual([
      ["question", "Revoke the key 'Sheet'?\n\nWhatever uses it is refused at once. This cannot be undone."],
      ["revoke", sheet.id],
      "The key 'Sheet' was revoked.",
    ]);
  });

  it("whose screen was left before the answer came is said to have lost its secret", async () => {
    let answer = (_key: typeof made) => {};
    const { chart, told } = start({ gateway: { create: () => new Promise((resolve) => (answer = resolve)) } });
    chart.send({ type: "key.add", form: { name: "n8n", scopes: ["read"] } });
    chart.send({ type: "form.submit" });
    chart.stop();
    answer(made);
    await vi.waitFor(() =>
      expect(told).toEqual([
        [
          "warning",
          "The key 'n8n' was created after you had left, and its secret was not shown. Revoke it and create another.",
        ],
      ]),
    );
  });
});
