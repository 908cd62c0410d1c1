import { expect, it } from "vitest";
import { FIELD_PROBLEMS } from "../../domain/field-problems.ts";
import { english } from "../support/english.ts";
import { createLeadTagsAndFields } from "../../src/machines/lead-tags-and-fields/lead-tags-and-fields.machine.ts";
import { type VisitOf, confirmedInvariant, isCalling, unchecked, walkEveryPath } from "../support/invariants.ts";
import { failureText } from "../support/model.ts";
import { fakePage, settle, startJourney } from "../support/page.ts";
import { ada, budget, home, leadTagsAndFieldsModel } from "./lead-tags-and-fields.model.ts";

type Visited = VisitOf<typeof leadTagsAndFieldsModel>;
const LINK = "https://example.org";
const SAVE_FAILED = "It may have been saved. What you typed is kept: try again.";
const types = ({ context, event: { text } }: Visited) => {
  const problem = text === LINK ? null : FIELD_PROBLEMS.link();
  expect(context.typed).toEqual({ f2: { text, value: text === LINK ? LINK : null, problem } });
  expect(context.problems.fields).toEqual(null);
};
const failed =
  (part: "tags" | "fields" | "lead", unknown: string) =>
  ({ context, before, effects, event }: Visited) => {
    expect(context).toEqual({ ...before, problems: { ...before.problems, [part]: failureText(event, unknown) } });
    expect(effects).toHaveProperty("reportChange");
  };

walkEveryPath(leadTagsAndFieldsModel, {
  "*": {
    accepts: ["lead.read", "fields.listed"],
    holds: ({ cause, context, before, event }) => {
      if (cause === "lead.read") expect(context).toEqual({ ...before, lead: event.lead });
      if (cause === "fields.listed") expect(context).toEqual({ ...before, typed: {} });
    },
  },
  "tags.resting": {
    accepts: ["tags.set"],
    after: {
      start: null,
      "done saveTags": ({ context, before, event, effects }) => {
        expect(context).toEqual({ ...before, lead: { ...before.lead, tags: event.output } });
        expect(effects).toEqual({ reportChange: null });
      },
      "error saveTags": failed("tags", SAVE_FAILED),
    },
  },
  "tags.saving": {
    after: {
      "tags.set": ({ context, event }) => expect([context.tagIds, context.problems.tags]).toEqual([event.tagIds, null]),
    },
    holds: isCalling("saveTags", { leadId: ada.id, tagIds: ["t1"] }),
  },
  fields: { accepts: ["field.change"] },
  "fields.resting": {
    accepts: ({ typed: { f2 } }) => [...(f2 ? ["fields.cancel"] : []), ...(f2?.text === LINK ? ["fields.save"] : [])],
    after: {
      start: null,
      "field.change": types,
      "fields.cancel": ({ context }) => expect([context.typed, context.problems.fields]).toEqual([{}, null]),
      "done saveFields": ({ context, before, event, effects }) => {
        expect(context.lead).toEqual({ ...before.lead, fields: event.output });
        expect(context.typed).toEqual(before.typed["f2"]?.text === LINK ? {} : before.typed);
        expect(effects).toEqual({ reportChange: null });
      },
      "error saveFields": failed("fields", SAVE_FAILED),
    },
  },
  "fields.saving": {
    after: {
      "fields.save": ({ context }) => expect([context.sent, context.problems.fields]).toEqual([context.typed, null]),
      "field.change": types,
    },
    holds: isCalling("saveFields", { leadId: ada.id, values: { f2: LINK } }),
  },
  "exclusion.resting": {
    accepts: ["lead.exclude"],
    after: {
      ...unchecked("start", "error askConfirmation"),
      "done askConfirmation": ({ event, effects }) => expect([event.output, effects]).toEqual([false, {}]),
      "done excludeLead": ({ context, effects }) => {
        const { id: leadId, name } = context.lead;
        expect(effects).toEqual({ offerUndo: { leadId, name, telegramUserId: "5001" }, reportChange: null });
      },
      "error excludeLead": failed("lead", "The person may have been excluded."),
    },
  },
  "exclusion.awaitingConfirmation": {
    after: {
      "lead.exclude": ({ context, calls }) => {
        expect(context.problems.lead).toEqual(null);
        const { message } = calls["askConfirmation"] as { message: string };
        expect(english(message)).toMatch(
          new RegExp(`^Is ${context.lead.name} not a lead\\?\n\nTheir conversation, notes, tags`),
        );
      },
    },
  },
  "exclusion.excluding": confirmedInvariant("excludeLead", { leadId: ada.id }),
});

function startMarks() {
  const calls: unknown[] = [];
  const page = fakePage();
  const logic = createLeadTagsAndFields(page, {
    gateway: {
      setTags: async () => [],
      setFields: async (input) => (calls.push(input), { f1: 1_250.5 }),
      exclude: async () => ({ telegramUserId: "5001" }),
      restore: async (input) => (calls.push(input), "lead-1"),
    },
    onChanged: () => calls.push("changed"),
    excluded: {
      add: (leadId, name) => calls.push(`${leadId} of ${name} excluded`),
      remove: (leadId) => calls.push(`${leadId} restored`),
    },
  });
  return { ...startJourney(logic, { input: { lead: ada } }), calls, notices: page.notices, undos: page.undos };
}

it("saves each field in the type of its values, and an empty one as null", async () => {
  const { go, context, calls } = startMarks();
  await go({ type: "field.change", field: home, text: " " }, { type: "field.change", field: budget, text: "1250.5" });
  await go({ type: "fields.save" });
  expect(calls).toEqual([{ leadId: "lead-1", values: { f1: 1_250.5, f2: null } }, "changed"]);
  expect(context()).toMatchObject({ typed: {}, lead: { fields: { f1: 1_250.5 } } });
});

it("saves the other fields after one was deleted elsewhere", async () => {
  const { go, calls } = startMarks();
  await go({ type: "field.change", field: home, text: "example" });
  await go({ type: "field.change", field: budget, text: "1250.5" }, { type: "fields.listed", ids: ["f1"] });
  await go({ type: "fields.save" });
  expect(calls).toEqual([{ leadId: "lead-1", values: { f1: 1_250.5 } }, "changed"]);
});

it("excludes a lead after a question, and restores it once by Undo", async () => {
  const { go, calls, notices, undos } = startMarks();
  await go({ type: "lead.exclude" });
  expect(calls).toEqual(["lead-1 of Ada excluded", "changed"]);
  undos[0]?.();
  undos[0]?.();
  await settle();
  expect(calls.slice(2)).toEqual([{ telegramUserId: "5001" }, "lead-1 restored", "changed"]);
  expect(notices).toEqual([
    [
      "question",
      "Is Ada not a lead?\n\nTheir conversation, notes, tags and fields are deleted, and nothing they write is stored from now on. You can undo this for 30 seconds. If you restore them later in Settings, they start from scratch.",
    ],
    "Ada is no longer a lead.",
    "The lead is back.",
  ]);
});
