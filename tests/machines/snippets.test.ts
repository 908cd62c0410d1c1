import { describe, expect, it, vi } from "vitest";
import { createActor } from "xstate";
import type { Snippet } from "../../domain/snippet.ts";
import { type SnippetsGateway, createSnippets, snippetsMachine } from "../../src/machines/snippets/index.ts";
import type { Invariants } from "../support/invariants.ts";
import { askingInvariant } from "../support/kit-invariants.ts";
import { isCalling, readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { priceList, snippetsModel } from "./snippets.model.ts";

const blank = { title: "", text: "", media: undefined, lostMedia: "" };

const invariants: Invariants<typeof snippetsMachine> = {
  ...readingInvariants("list.", "fetchSnippets", "snippets", {
    starts: ["done saveSnippet", "error saveSnippet", "done removeSnippet", "error removeSnippet"],
  }),
  "work.resting": {
    after: {
      start: null,
      "form.cancel": ({ context }) => expect(context.problem).toEqual(null),
      "done saveSnippet": ({ context }) => expect(context.problem).toEqual(null),
      "done askConfirmation": ({ event, context }) => {
        expect(event.output).toEqual(false);
        expect(context.snippets).toEqual([priceList]);
      },
      "error askConfirmation": ({ context }) => expect(context.snippets).toEqual([priceList]),
      "done removeSnippet": ({ context }) => expect(context.snippets).toEqual([]),
      "error removeSnippet": ({ context }) => {
        expect(context.snippets).toEqual([priceList]);
        expect([context.problem, context.about]).toEqual([
          "No response from the server. The snippet may have been deleted.",
          "1",
        ]);
      },
    },
    accepts: ({ snippets }) => ["snippet.add", ...(snippets.length > 0 ? ["snippet.edit", "snippet.delete"] : [])],
    holds: ({ context: { active, form, refused } }) =>
      expect({ active, form, refused }).toEqual({ active: null, form: blank, refused: {} }),
  },
  "work.editing": {
    after: {
      "snippet.add": ({ context }) => expect([context.active, context.form]).toEqual([null, blank]),
      "snippet.edit": ({ context }) =>
        expect([context.active, context.form]).toEqual([
          priceList,
          { ...blank, title: "Price list", text: "Dear {first_name|friend}" },
        ]),
      "form.change": ({ event, before, context }) =>
        expect(context).toEqual({
          ...before,
          form: { ...before.form, ...event.change },
          problem: null,
          refused: {},
        }),
      "form.submit": ({ before, context }) => {
        const refused = {
          ...(before.form.title === "" && { title: "Give the snippet a title." }),
          ...(before.form.text === "" && { text: "Write a text or choose a file." }),
        };
        expect(refused).not.toEqual({});
        expect(context).toEqual({ ...before, problem: null, refused });
      },
      "error saveSnippet": ({ before, context }) =>
        expect(context).toEqual({
          ...before,
          problem: "No response from the server. The snippet may have been saved. Try again: it is not saved twice.",
          about: before.active?.id ?? null,
        }),
    },
    accepts: ["form.change", "form.cancel", "form.submit"],
  },
  "work.saving": {
    after: ["form.submit"],
    holds: ({ context: { form, active }, calls }) => {
      expect([form.title, form.text]).not.toContain("");
      const { title, text, media } = form;
      isCalling("saveSnippet", { title, text, media, id: active?.id ?? null })({ calls });
    },
  },
  "work.awaitingConfirmation": askingInvariant("Delete the snippet 'Price list'?", ["snippet.delete"]),
  "work.deleting": {
    after: { "done askConfirmation": ({ event }) => expect(event.output).toEqual(true) },
    holds: isCalling("removeSnippet", { id: "1" }),
  },
};

walkEveryPath(snippetsMachine, snippetsModel, invariants);

function startSnippets(gateway: Partial<SnippetsGateway> = {}, isConfirmed = true) {
  const calls: unknown[] = [];
  let list: Snippet[] = [priceList];
  const logic = createSnippets({
    snippets: {
      list: async () => list,
      add: async (form) => calls.push(["add", form]),
      change: async (input) => calls.push(["change", input]),
      remove: async ({ id }) => {
        calls.push(["remove", id]);
        list = [];
      },
      ...gateway,
    },
    notifier: {
      toast: (words) => calls.push(words),
      warn: (words) => calls.push(words),
      confirm: async (words) => {
        calls.push(words);
        return isConfirmed;
      },
    },
    logger: { warn: () => {} },
  });
  const chart = createActor(logic).start();
  const resting = () =>
    vi.waitFor(() => expect(chart.getSnapshot().value).toEqual({ list: { shown: "current" }, work: "resting" }));
  return { chart, calls, resting };
}

describe("snippets", () => {
  it("are added and changed, and not without a title and something to send", async () => {
    const { chart, calls, resting } = startSnippets();
    await resting();
    chart.send({ type: "snippet.add" });
    const missing = (change: { title: string; text: string }) => {
      chart.send({ type: "form.change", change });
      chart.send({ type: "form.submit" });
      return chart.getSnapshot().context.refused;
    };
    expect(missing({ title: " ", text: "Hello" })).toEqual({ title: "Give the snippet a title." });
    expect(missing({ title: "Greeting", text: " " })).toEqual({ text: "Write a text or choose a file." });
    expect(calls).toEqual([]);
    chart.send({ type: "form.change", change: { text: "Hello" } });
    chart.send({ type: "form.submit" });
    await resting();
    chart.send({ type: "snippet.edit", id: "1" });
    chart.send({ type: "form.change", change: { text: "Dear {name}" } });
    chart.send({ type: "form.submit" });
    await resting();
    expect(calls).toEqual([
      ["add", { title: "Greeting", text: "Hello", media: undefined }],
      ["change", { id: "1", title: "Price list", text: "Dear {name}", media: undefined }],
    ]);
  });

  it("may have fewer characters beside a picture, and a picture alone is enough", async () => {
    const { chart, resting } = startSnippets();
    await resting();
    chart.send({ type: "snippet.add" });
    const picture = new File(["x"], "x.png", { type: "image/png" });
    chart.send({ type: "form.change", change: { title: "Menu", text: "x".repeat(1_025), media: picture } });
    expect(chart.getSnapshot().can({ type: "form.submit" })).toEqual(false);
    chart.send({ type: "form.change", change: { media: undefined } });
    expect(chart.getSnapshot().can({ type: "form.submit" })).toEqual(true);
    chart.send({ type: "form.change", change: { text: "", media: picture } });
    expect(chart.getSnapshot().can({ type: "form.submit" })).toEqual(true);
  });
});
