import { expect, it } from "vitest";
import { type CatalogService, catalogDraft, createCatalog } from "../../src/machines/catalog/catalog.machine.ts";
import {
  confirmationInvariant,
  editsForm,
  isCalling,
  readingInvariants,
  walkEveryPath,
} from "../support/invariants.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { failureText, refusedWith } from "../support/model.ts";
import { budget, catalogModel, city } from "./catalog.model.ts";

walkEveryPath(catalogModel, {
  ...readingInvariants("list.", "listItems", "items", {
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
      "error removeItem": ({ context, before, event }) =>
        expect([context.items, context.problem, context.about]).toEqual([
          before.items,
          failureText(event, "The field may have been deleted."),
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
      "form.change": editsForm,
      "form.submit": ({ context, before }) =>
        expect([before.form.name, context.problem, context.refused]).toEqual([
          "",
          null,
          { name: "Give the field a name." },
        ]),
      "error saveItem": ({ context, before, event }) =>
        expect([context.form, context.problem, context.about]).toEqual([
          before.form,
          failureText(event, "The field may have been saved. Try again: it is not saved twice."),
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
    after: { "done saveItem": ({ context }) => expect(context.asks).toEqual({ leads: 3, options: ["North"] }) },
  },
  "work.awaitingConfirmation": confirmationInvariant(
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

async function startCatalog(overrides: Partial<CatalogService> = {}) {
  const page = fakePage();
  const sent: unknown[] = [];
  const note = (call: string) => async (input: object) => void sent.push([call, input]);
  const logic = createCatalog(page, {
    catalog: {
      list: async () => [city, budget],
      add: note("add"),
      change: note("change"),
      remove: note("remove"),
      restore: note("restore"),
      ...overrides,
    },
    kind: "field",
    onChanged: () => () => {},
  });
  const { go } = await openJourney(logic);
  return { ...page, sent, go };
}

it("adds and changes a field, asks where leads move, and clears the draft", async () => {
  const changes: unknown[] = [];
  const { go, sent, drafts } = await startCatalog({
    async change({ moveTo }) {
      changes.push(moveTo);
      if (moveTo === undefined)
        throw refusedWith(409, {
          code: "option_in_use",
          message: '3 leads hold "Bergen". Say in move_to which option they get instead.',
          params: { leads: 3, options: ["Bergen"] },
        });
    },
  });
  const draft = catalogDraft(drafts, "field");
  const isStored = () => draft.read() !== null;
  draft.write({ at: "new", form: '{"name":"Town"}' }, {});
  await go({ type: "item.add", form: { name: "Town", type: "text" } }, { type: "form.submit" });
  expect([sent, isStored()]).toEqual([[["add", { form: { name: "Town", type: "text" } }]], false]);
  draft.write({ at: "1", form: '{"name":"City"}' }, {});
  await go({ type: "item.edit", id: "1", form: { name: "City", options: ["Oslo"] } }, { type: "form.submit" });
  expect([changes, isStored()]).toEqual([[undefined], true]);
  await go({ type: "target.choose", moveTo: "Oslo" });
  expect([changes, isStored()]).toEqual([[undefined, "Oslo"], false]);
});

it.each([
  ["brings a deleted field back by Undo", async () => {}, "The field is back."],
  [
    "says that a field may be back when the server does not respond to Undo",
    () => Promise.reject(new Error("offline")),
    ["warning", "No response from the server. The field may be back: look at the list."],
  ],
])("%s", async (_what, restore, outcome) => {
  const { go, notices, undos } = await startCatalog({ restore });
  await go({ type: "item.delete", id: "1" });
  undos[0]?.();
  await settle();
  expect(notices.slice(1)).toEqual(["The field 'City' was deleted.", outcome]);
});
