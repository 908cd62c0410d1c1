import { type SnapshotFrom, assign, setup } from "xstate";
import { type Field, readFieldValue } from "../../../domain/field.ts";
import type { FieldValue, LeadTag } from "../../../domain/lead.ts";
import { asking, isConfirmed } from "../kit/asking.ts";
import { withEvent } from "../kit/payload.ts";
import { problemOf, refused } from "../kit/refused.ts";
import { unreported } from "../kit/reporting.ts";
import { type FieldValues, NOT_EXCLUDED, NOT_SAVED, placeholderActors } from "./lead-marks.actors.ts";

/** What of a lead this chart changes. */
export type MarkedLead = { id: string; name: string | null; tags: readonly LeadTag[]; fields: FieldValues };
/** A value as it is typed, and what it would be stored as, or what is wrong with it. */
export type TypedValue = { text: string; value: FieldValue; words: string | null };

type LeadMarksContext = {
  lead: MarkedLead;
  tagIds: readonly string[];
  /** What is typed and not saved, by the field's id. */
  typed: Readonly<Record<string, TypedValue>>;
  problem: string | null;
  /** What the last attempt was about. */
  about: "tags" | "fields" | "lead" | null;
};

function readTyped(field: Field, text: string): TypedValue {
  const raw = text.trim() === "" ? null : field.type === "number" ? Number(text) : text;
  const read = readFieldValue(field, raw);
  return "words" in read ? { text, value: null, words: read.words } : { text, value: read.value, words: null };
}

const valuesOf = (typed: LeadMarksContext["typed"]): FieldValues =>
  Object.fromEntries(Object.entries(typed).map(([id, { value }]) => [id, value]));

const questionOf = ({ lead }: LeadMarksContext): string =>
  `Is ${lead.name ?? "this person"} not a lead?\n\nThe conversation, notes, tags and fields go, and nothing this person writes is stored ` +
  "from now on. You can undo it for 30 seconds. Restored later, under Settings, the person starts anew.";

/** A lead's tags and own fields, and the way out for who is no lead. One thing is saved at a time; what is typed outlives a new reading. */
export const leadMarksMachine = setup({
  types: {
    input: {} as { lead: MarkedLead },
    context: {} as LeadMarksContext,
    events: {} as
      | { type: "lead.read"; lead: MarkedLead }
      | { type: "tags.set"; tagIds: readonly string[] }
      | { type: "field.change"; field: Field; text: string }
      | { type: "fields.cancel" }
      | { type: "fields.save" }
      | { type: "lead.exclude" },
  },
  actors: placeholderActors,
  actions: {
    storeLead: assign((_, { lead }: { lead: MarkedLead }) => ({ lead })),
    storeTagIds: assign((_, { tagIds }: { tagIds: readonly string[] }) => ({
      tagIds,
      about: "tags" as const,
      problem: null,
    })),
    storeTags: assign(({ context }, { tags }: { tags: readonly LeadTag[] }) => ({ lead: { ...context.lead, tags } })),
    storeTyped: assign(({ context }, { field, text }: { field: Field; text: string }) => ({
      typed: { ...context.typed, [field.id]: readTyped(field, text) },
      problem: null,
    })),
    forgetTyped: assign({ typed: {}, problem: null }),
    storeFields: assign(({ context }, { fields }: { fields: FieldValues }) => ({
      lead: { ...context.lead, fields },
      typed: {},
      problem: null,
    })),
    begin: assign((_, { about }: { about: "fields" | "lead" }) => ({ about, problem: null })),
    storeProblem: assign(problemOf),
    tellOthers: () => {},
    /** Says that the person is no lead, with the step back beside it. */
    offerUndo: (_args, _params: { leadId: string; name: string | null; telegramUserId: string }) => {},
    reportFailure: unreported,
  },
  guards: {
    isTyped: ({ context }) => Object.keys(context.typed).length > 0,
    isReadable: ({ context }) => {
      const typed = Object.values(context.typed);
      return typed.length > 0 && typed.every(({ words }) => words === null);
    },
    isConfirmed,
  },
}).createMachine({
  id: "leadMarks",
  context: ({ input }) => ({ lead: input.lead, tagIds: [], typed: {}, problem: null, about: null }),
  on: { "lead.read": { actions: withEvent("storeLead") } },
  initial: "resting",
  states: {
    resting: {
      on: {
        "tags.set": { target: "savingTags", actions: withEvent("storeTagIds") },
        "field.change": { actions: withEvent("storeTyped") },
        "fields.cancel": { guard: "isTyped", actions: "forgetTyped" },
        "fields.save": {
          guard: "isReadable",
          target: "savingFields",
          actions: { type: "begin", params: { about: "fields" } },
        },
        "lead.exclude": { target: "awaitingConfirmation", actions: { type: "begin", params: { about: "lead" } } },
      },
    },
    savingTags: {
      invoke: {
        id: "saveTags",
        src: "saveTags",
        input: ({ context }) => ({ leadId: context.lead.id, tagIds: context.tagIds }),
        onDone: {
          target: "resting",
          actions: [{ type: "storeTags", params: ({ event }) => ({ tags: event.output }) }, "tellOthers"],
        },
        onError: { target: "resting", actions: refused(NOT_SAVED, "a lead's tags were not saved") },
      },
    },
    savingFields: {
      invoke: {
        id: "saveFields",
        src: "saveFields",
        input: ({ context }) => ({ leadId: context.lead.id, values: valuesOf(context.typed) }),
        onDone: {
          target: "resting",
          actions: [{ type: "storeFields", params: ({ event }) => ({ fields: event.output }) }, "tellOthers"],
        },
        onError: { target: "resting", actions: refused(NOT_SAVED, "a lead's fields were not saved") },
      },
    },
    awaitingConfirmation: asking(({ context }: { context: LeadMarksContext }) => ({ message: questionOf(context) }), {
      yes: "excluding",
      no: "resting",
    }),
    excluding: {
      invoke: {
        id: "excludeLead",
        src: "excludeLead",
        input: ({ context }) => ({ leadId: context.lead.id }),
        onDone: {
          target: "resting",
          actions: [
            {
              type: "offerUndo",
              params: ({ context, event }) => ({
                leadId: context.lead.id,
                name: context.lead.name,
                telegramUserId: event.output.telegramUserId,
              }),
            },
            "tellOthers",
          ],
        },
        onError: { target: "resting", actions: refused(NOT_EXCLUDED, "a lead was not excluded") },
      },
    },
  },
});

export type LeadMarksSnapshot = SnapshotFrom<typeof leadMarksMachine>;
