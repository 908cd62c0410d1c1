import { describe, expect, it, vi } from "vitest";
import { type ContextFrom, createActor } from "xstate";
import { type LeadMarksGateway, createLeadMarks, leadMarksMachine } from "../../src/machines/lead-marks/index.ts";
import type { Visit } from "../support/invariants.ts";
import { unanswered } from "../support/model-events.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { ada, budget, home, leadMarksModel } from "./lead-marks.model.ts";

type Visited = Visit<ContextFrom<typeof leadMarksMachine>>;
const LINK = "https://example.org";
const SAVE_FAILED = unanswered("It may have been saved. What you typed is kept: try again.");
const types = ({ context, event: { text } }: Visited) => {
  const words = text === LINK ? null : "Must be a link that begins with https:// or http://.";
  expect(context.typed).toEqual({ f2: { text, value: text === LINK ? LINK : null, words } });
  expect(context.problems.fields).toEqual(null);
};
const failed =
  (part: "tags" | "fields" | "lead", problem: string) =>
  ({ context, before, effects }: Visited) => {
    expect(context).toEqual({ ...before, problems: { ...before.problems, [part]: problem } });
    expect(effects).toHaveProperty("tellOthers");
  };

walkEveryPath(leadMarksMachine, leadMarksModel, {
  "*": {
    accepts: ["lead.read"],
    holds: ({ cause, context, before, event }) => {
      if (cause === "lead.read") expect(context).toEqual({ ...before, lead: event.lead });
    },
  },
  "tags.resting": {
    accepts: ["tags.set"],
    after: {
      start: null,
      "done saveTags": ({ context, before, event, effects }) => {
        expect(context).toEqual({ ...before, lead: { ...before.lead, tags: event.output } });
        expect(effects).toEqual({ tellOthers: null });
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
        expect(effects).toEqual({ tellOthers: null });
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
      start: null,
      "done askConfirmation": ({ event, effects }) => expect([event.output, effects]).toEqual([false, {}]),
      "error askConfirmation": null,
      "done excludeLead": ({ context, effects }) => {
        const { id: leadId, name } = context.lead;
        expect(effects).toEqual({ offerUndo: { leadId, name, telegramUserId: "5001" }, tellOthers: null });
      },
      "error excludeLead": failed("lead", unanswered("The person may have been excluded.")),
    },
  },
  "exclusion.awaitingConfirmation": {
    after: {
      "lead.exclude": ({ context, calls }) => {
        expect(context.problems.lead).toEqual(null);
        const { message } = calls["askConfirmation"] as { message: string };
        expect(message).toMatch(new RegExp(`^Is ${context.lead.name} not a lead\\?\n\nThe conversation, notes, tags`));
      },
    },
  },
  "exclusion.excluding": {
    after: { "done askConfirmation": ({ event }) => expect(event.output).toEqual(true) },
    holds: isCalling("excludeLead", { leadId: ada.id }),
  },
});

function start(gateway: Partial<LeadMarksGateway> = {}) {
  const calls: unknown[] = [];
  let undo = () => {};
  const logic = createLeadMarks({
    marks: {
      setTags: async () => [],
      async setFields(input) {
        calls.push(input);
        return { f1: 1_250.5 };
      },
      exclude: async () => ({ telegramUserId: "5001" }),
      async restore(input) {
        calls.push(input);
        return "lead-1";
      },
      ...gateway,
    },
    onChanged: () => calls.push("others read anew"),
    excluded: {
      add: (leadId, name) => calls.push(`${leadId} of ${name} is gone`),
      remove: (leadId) => calls.push(`${leadId} is there again`),
    },
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
  const chart = createActor(logic, { input: { lead: ada } }).start();
  const isResting = () =>
    vi.waitFor(() =>
      expect(chart.getSnapshot().value).toEqual({ tags: "resting", fields: "resting", exclusion: "resting" }),
    );
  return { chart, calls, isResting, undo: () => undo() };
}

describe("a lead's fields", () => {
  it("are checked as they are typed, and saved by their types", async () => {
    const { chart, calls, isResting } = start();
    chart.send({ type: "field.change", field: home, text: "example" });
    expect(chart.getSnapshot().context.typed["f2"]?.words).toEqual(
      "Must be a link that begins with https:// or http://.",
    );
    expect(chart.getSnapshot().can({ type: "fields.save" })).toEqual(false);
    chart.send({ type: "field.change", field: home, text: " " });
    chart.send({ type: "field.change", field: budget, text: "1250.5" });
    chart.send({ type: "fields.save" });
    await isResting();
    expect(calls).toEqual([{ leadId: "lead-1", values: { f1: 1_250.5, f2: null } }, "others read anew"]);
    expect(chart.getSnapshot().context).toMatchObject({ typed: {}, lead: { fields: { f1: 1_250.5 } } });
  });
});

it("who is not a lead goes after a question that says what goes, and comes back by Undo", async () => {
  const { chart, calls, isResting, undo } = start();
  chart.send({ type: "lead.exclude" });
  await vi.waitFor(() => expect(calls).toContain("others read anew"));
  await isResting();
  // It is offered by the toast and in place of the conversation.
  undo();
  undo();
  await vi.waitFor(() => expect(calls).toHaveLength(8));
  expect(calls).toEqual([
    "Is Ada not a lead?\n\nThe conversation, notes, tags and fields go, and nothing this person writes is stored from now on. You can undo it for 30 seconds. Restored later, under Settings, the person starts anew.",
    "lead-1 of Ada is gone",
    "Ada is not a lead any more.",
    "others read anew",
    { telegramUserId: "5001" },
    "lead-1 is there again",
    "The lead is there again.",
    "others read anew",
  ]);
});
