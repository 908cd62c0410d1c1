import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, createActor } from "xstate";
import { type CatalogGateway, catalogMachine, createCatalog } from "../../src/machines/catalog/index.ts";
import { HttpError } from "../../src/services/http.ts";
import { askingInvariant } from "../support/kit-invariants.ts";
import { unanswered } from "../support/model-events.ts";
import { isCalling, readingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { budget, catalogModel, city } from "./catalog.model.ts";

type Context = ContextFrom<typeof catalogMachine>;

walkEveryPath(catalogMachine, catalogModel, {
  ...readingInvariants<Context>("list.", "listItems", "items", {
    starts: ["error saveItem", "done removeItem", "error removeItem"],
  }),
  "work.resting": {
    accepts: ({ items }) => [
      "item.add",
      ...(items.includes(city) ? ["item.edit"] : []),
      ...(items.length > 0 ? ["item.delete"] : []),
    ],
    after: {
      start: ({ context }) => expect([context.items, context.asks, context.problem]).toEqual([[], null, null]),
      "form.cancel": ({ context }) => expect(context.problem).toEqual(null),
      "done saveItem": ({ context, event, calls }) => {
        expect([event.output.asks, context.problem]).toEqual([null, null]);
        isCalling("listItems")({ calls });
      },
      "done askConfirmation": ({ context, before, event }) =>
        expect([event.output, context.items]).toEqual([false, before.items]),
      "error askConfirmation": null,
      "done removeItem": ({ context, before: { active, items }, effects }) => {
        expect(context.items).toEqual(items.filter((item) => item !== active));
        expect(effects["offerUndo"]).toEqual({ id: active?.id, name: active?.name });
      },
      "error removeItem": ({ context, before }) =>
        expect([context.items, context.problem, context.about]).toEqual([
          before.items,
          unanswered("The field may have been deleted."),
          before.active?.id,
        ]),
    },
    holds: ({ context }) =>
      expect(context).toMatchObject({ active: null, form: { name: "" }, moveTo: undefined, refused: {} }),
  },
  "work.editing": {
    accepts: ["form.change", "form.cancel", "form.submit"],
    after: {
      "item.add": ({ context, before, event }) =>
        expect(context).toEqual({ ...before, active: null, form: event.form, problem: null, refused: {} }),
      "item.edit": ({ context, before, event }) =>
        expect(context).toEqual({ ...before, active: city, form: event.form, problem: null, refused: {} }),
      "form.change": ({ context, before, event }) =>
        expect(context).toEqual({ ...before, form: { ...before.form, ...event.change }, problem: null, refused: {} }),
      "form.submit": ({ context, before }) =>
        expect([before.form.name, context.problem, context.refused]).toEqual([
          "",
          null,
          { name: "Give the field a name." },
        ]),
      "error saveItem": ({ context, before }) =>
        expect([context.form, context.problem, context.about]).toEqual([
          before.form,
          unanswered("The field may have been saved. Try again: it is not saved twice."),
          before.active?.id ?? null,
        ]),
      "target.cancel": null,
    },
    holds: ({ context }) => expect(context.asks).toEqual(null),
  },
  "work.saving": {
    after: {
      "form.submit": ({ context, before }) => {
        expect(before.form.name).not.toEqual("");
        expect(context).toEqual({ ...before, moveTo: undefined });
      },
      "target.choose": ({ context, before, event }) =>
        expect(context).toEqual({ ...before, moveTo: event.moveTo, asks: null }),
    },
    holds: ({ context: { active, form, moveTo }, calls }) =>
      isCalling("saveItem", { id: active?.id ?? null, form, moveTo })({ calls }),
  },
  "work.awaitingTarget": {
    accepts: ["target.choose", "target.cancel"],
    after: { "done saveItem": ({ context }) => expect(context.asks).toEqual("3 leads hold it.") },
  },
  "work.awaitingConfirmation": askingInvariant(
    "Delete the field 'City'?\n\nThe value that 3 leads have in it goes. You can undo it for 30 seconds.",
    { "item.delete": ({ context }) => expect([context.active, context.problem]).toEqual([city, null]) },
  ),
  "work.deleting": {
    after: {
      "item.delete": ({ context }) => expect([context.active, context.problem]).toEqual([budget, null]),
      "done askConfirmation": ({ event }) => expect(event.output).toEqual(true),
    },
    holds: ({ context, calls }) => isCalling("removeItem", { id: context.active?.id })({ calls }),
  },
});

function start(gateway: Partial<CatalogGateway> = {}) {
  const calls: unknown[] = [];
  let undo = () => {};
  const logic = createCatalog({
    catalog: {
      list: async () => [city, budget],
      add: async (input) => calls.push(["add", input]),
      change: async (input) => calls.push(["change", input]),
      remove: async ({ id }) => void calls.push(["remove", id]),
      restore: async ({ id }) => calls.push(["restore", id]),
      ...gateway,
    },
    noun: { one: "field", many: "fields" },
    onChanged: () => () => {},
    notifier: {
      toast(words, options) {
        calls.push(words);
        undo = options?.undo?.onPress ?? undo;
      },
      warn: (words) => calls.push(words),
      confirm: async (words) => {
        calls.push(words);
        return true;
      },
    },
    logger: { warn: () => {} },
  });
  const chart = createActor(logic, { input: { noun: { one: "field", many: "fields" } } }).start();
  const is = (work: string) =>
    vi.waitFor(() => expect(chart.getSnapshot().value).toEqual({ list: { shown: "current" }, work }));
  return { chart, calls, is, undo: () => undo() };
}

describe("what a person makes for their leads", () => {
  it("is made, and not without a name", async () => {
    const { chart, calls, is } = start();
    await is("resting");
    chart.send({ type: "item.add", form: { name: " ", type: "text" } });
    chart.send({ type: "form.submit" });
    expect(chart.getSnapshot().context.refused).toEqual({ name: "Give the field a name." });
    chart.send({ type: "form.change", change: { name: "Town" } });
    chart.send({ type: "form.submit" });
    await is("resting");
    expect(calls).toEqual([["add", { form: { name: "Town", type: "text" } }]]);
  });

  it("is changed after the person has said where the leads go that hold what is removed", async () => {
    const refusal = {
      code: "option_in_use",
      message: "3 leads hold “Bergen”. Say in move_to which option they get instead.",
    };
    const changes: unknown[] = [];
    const { chart, is } = start({
      async change(input) {
        changes.push(input.moveTo);
        if (input.moveTo === undefined) throw new HttpError(409, refusal);
      },
    });
    await is("resting");
    chart.send({ type: "item.edit", id: "1", form: { name: "City", options: ["Oslo"] } });
    chart.send({ type: "form.submit" });
    await is("awaitingTarget");
    chart.send({ type: "target.choose", moveTo: "Oslo" });
    await is("resting");
    expect(changes).toEqual([undefined, "Oslo"]);
  });

  it("is deleted with a question that names how many leads hold it, and comes back by Undo", async () => {
    const { chart, calls, is, undo } = start();
    await is("resting");
    chart.send({ type: "item.delete", id: "1" });
    await vi.waitFor(() => expect(calls).toContainEqual(["remove", "1"]));
    await is("resting");
    undo();
    await vi.waitFor(() => expect(calls.at(-1)).toEqual("The field is back."));
    expect(calls).toEqual([
      "Delete the field 'City'?\n\nThe value that 3 leads have in it goes. You can undo it for 30 seconds.",
      ["remove", "1"],
      "The field 'City' was deleted.",
      ["restore", "1"],
      "The field is back.",
    ]);
  });
});
