import { type SnapshotFrom, assign, setup } from "xstate";
import { type Field, readFieldValue } from "../../../domain/field.ts";
import type { FieldValue, LeadTag } from "../../../domain/lead.ts";
import { asking, isConfirmed } from "../kit/asking.ts";
import { withEvent } from "../kit/payload.ts";
import { type FailureText, failureMessage } from "../kit/failed.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { type FieldValues, EXCLUSION_FAILED, SAVE_FAILED, placeholderActors } from "./lead-marks.actors.ts";

/** What of a lead this chart changes. */
export type MarkedLead = { id: string; name: string | null; tags: readonly LeadTag[]; fields: FieldValues };
/** A value as it is typed, and what it would be stored as, or what is wrong with it. */
export type TypedValue = { text: string; value: FieldValue; words: string | null };

type Typed = Readonly<Record<string, TypedValue>>;
/** What of the lead can be changed, each in a region of its own. */
type Part = "tags" | "fields" | "lead";

type LeadMarksContext = {
  lead: MarkedLead;
  tagIds: readonly string[];
  /** What is typed and not saved, by the field's id. */
  typed: Typed;
  /** What of it is being saved. */
  sent: Typed;
  problems: Readonly<Record<Part, string | null>>;
};

function readTyped(field: Field, text: string): TypedValue {
  const raw = text.trim() === "" ? null : field.type === "number" ? Number(text) : text;
  const read = readFieldValue(field, raw);
  return "words" in read ? { text, value: null, words: read.words } : { text, value: read.value, words: null };
}

const valuesOf = (typed: Typed): FieldValues =>
  Object.fromEntries(Object.entries(typed).map(([id, { value }]) => [id, value]));

const questionOf = ({ lead }: LeadMarksContext): string =>
  `Is ${lead.name ?? "this person"} not a lead?\n\nThe conversation, notes, tags and fields go, and nothing this person writes is stored ` +
  "from now on. You can undo it for 30 seconds. Restored later, under Settings, the person starts anew.";

/** What a part failed of, kept beside it. */
const partFailed = <const Of extends Part, const What extends string>(part: Of, text: FailureText, what: What) =>
  [
    {
      type: "storeProblem",
      params: ({ event }: { event: { error: unknown } }) => ({ part, problem: failureMessage(event.error, text) }),
    },
    reportFailure(what),
    // The others read the lead again: it may have been changed all the same.
    "tellOthers",
  ] as const;

/**
 * A lead's tags, its own fields, and the way out for who is no lead, independent of each other. What is typed stays typed while anything
 * is saved, over a failure and over a newer reading.
 */
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
    storeTagIds: assign((_, { tagIds }: { tagIds: readonly string[] }) => ({ tagIds })),
    storeTags: assign(({ context }, { tags }: { tags: readonly LeadTag[] }) => ({ lead: { ...context.lead, tags } })),
    storeTyped: assign(({ context }, { field, text }: { field: Field; text: string }) => ({
      typed: { ...context.typed, [field.id]: readTyped(field, text) },
    })),
    forgetTyped: assign({ typed: {} }),
    markSent: assign(({ context }) => ({ sent: context.typed })),
    /** What was typed during the save is kept. */
    storeFields: assign(({ context: { lead, typed, sent } }, { fields }: { fields: FieldValues }) => ({
      lead: { ...lead, fields },
      typed: Object.fromEntries(Object.entries(typed).filter(([id, { text }]) => text !== sent[id]?.text)),
    })),
    storeProblem: assign(({ context }, { part, problem }: { part: Part; problem: string }) => ({
      problems: { ...context.problems, [part]: problem },
    })),
    forgetProblem: assign(({ context }, { part }: { part: Part }) => ({
      problems: { ...context.problems, [part]: null },
    })),
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
  context: ({ input }) => ({
    lead: input.lead,
    tagIds: [],
    typed: {},
    sent: {},
    problems: { tags: null, fields: null, lead: null },
  }),
  on: { "lead.read": { actions: withEvent("storeLead") } },
  type: "parallel",
  states: {
    tags: {
      initial: "resting",
      states: {
        resting: { on: { "tags.set": { target: "saving", actions: withEvent("storeTagIds") } } },
        saving: {
          entry: { type: "forgetProblem", params: { part: "tags" } },
          invoke: {
            id: "saveTags",
            src: "saveTags",
            input: ({ context }) => ({ leadId: context.lead.id, tagIds: context.tagIds }),
            onDone: {
              target: "resting",
              actions: [{ type: "storeTags", params: ({ event }) => ({ tags: event.output }) }, "tellOthers"],
            },
            onError: { target: "resting", actions: partFailed("tags", SAVE_FAILED, "a lead's tags were not saved") },
          },
        },
      },
    },
    fields: {
      initial: "resting",
      on: {
        "field.change": {
          actions: [withEvent("storeTyped"), { type: "forgetProblem", params: { part: "fields" } }],
        },
      },
      states: {
        resting: {
          on: {
            "fields.cancel": {
              guard: "isTyped",
              actions: ["forgetTyped", { type: "forgetProblem", params: { part: "fields" } }],
            },
            "fields.save": { guard: "isReadable", target: "saving" },
          },
        },
        saving: {
          entry: ["markSent", { type: "forgetProblem", params: { part: "fields" } }],
          invoke: {
            id: "saveFields",
            src: "saveFields",
            input: ({ context }) => ({ leadId: context.lead.id, values: valuesOf(context.typed) }),
            onDone: {
              target: "resting",
              actions: [{ type: "storeFields", params: ({ event }) => ({ fields: event.output }) }, "tellOthers"],
            },
            onError: {
              target: "resting",
              actions: partFailed("fields", SAVE_FAILED, "a lead's fields were not saved"),
            },
          },
        },
      },
    },
    exclusion: {
      initial: "resting",
      states: {
        resting: { on: { "lead.exclude": "awaitingConfirmation" } },
        awaitingConfirmation: {
          ...asking(({ context }: { context: LeadMarksContext }) => ({ message: questionOf(context) }), {
            yes: "excluding",
            no: "resting",
          }),
          entry: { type: "forgetProblem", params: { part: "lead" } },
        },
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
            onError: { target: "resting", actions: partFailed("lead", EXCLUSION_FAILED, "a lead was not excluded") },
          },
        },
      },
    },
  },
});

export type LeadMarksSnapshot = SnapshotFrom<typeof leadMarksMachine>;
