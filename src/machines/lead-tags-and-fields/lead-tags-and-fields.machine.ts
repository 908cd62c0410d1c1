import { msg } from "@lingui/core/runtime-macro";
import { assign, setup } from "xstate";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { type Field, readFieldValue } from "../../../domain/field.ts";
import { readMessage } from "../../../domain/field-problems.ts";
import type { FieldValue, LeadTag } from "../../../domain/lead.ts";
import { UNDO_ACTS_MS } from "../../../domain/limits.ts";
import type { createExclusionsGateway } from "../../services/exclusions.ts";
import type { createLeadTagsAndFieldsGateway } from "../../services/lead-tags-and-fields.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { confirmState, confirming, isConfirmed } from "../kit/confirming.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { type FailureText, failureMessage, writeInBackground, writing } from "../kit/writing.ts";

type FieldValues = Readonly<Record<string, FieldValue>>;

type LeadTagsAndFieldsParts = {
  gateway: ReturnType<typeof createLeadTagsAndFieldsGateway> &
    Pick<ReturnType<typeof createExclusionsGateway>, "exclude" | "restore">;
  /** Notifies other charts that show the same lead. */
  onChanged: () => void;
  /** The excluded leads, which a lead's page shows with Undo. */
  excluded: {
    add: (leadId: string, name: string | null, undo: () => void) => void;
    remove: (leadId: string) => void;
  };
};

const SAVE_FAILED: FailureText = {
  refused: msg`It was not saved. Try again.`,
  unknown: msg`It may have been saved. What you typed is kept: try again.`,
};
const EXCLUSION_FAILED: FailureText = {
  refused: msg`The person is still a lead. Try again.`,
  unknown: msg`The person may have been excluded.`,
};

const RESTORE_FAILED: FailureText = {
  refused: msg`The lead could not be restored.`,
  unknown: msg`The lead may have been restored. Check the list.`,
};

/** The part of a lead that this chart changes. */
export type EditableLead = { id: string; name: string | null; tags: readonly LeadTag[]; fields: FieldValues };
/** A value as typed, and its stored form or its problem. */
export type TypedValue = { text: string; value: FieldValue; problem: UiTextOrString | null };

type Typed = Readonly<Record<string, TypedValue>>;
/** The independently edited parts of a lead, each in its own region. */
type Part = "tags" | "fields" | "lead";

type LeadTagsAndFieldsContext = {
  lead: EditableLead;
  tagIds: readonly string[];
  typed: Typed;
  sent: Typed;
  problems: Readonly<Record<Part, UiTextOrString | null>>;
};

function readTyped(field: Field, text: string): TypedValue {
  const raw = text.trim() === "" ? null : field.type === "number" ? Number(text) : text;
  const read = readFieldValue(field, raw);
  return "problem" in read
    ? { text, value: null, problem: readMessage(read.problem).text }
    : { text, value: read.value, problem: null };
}

const valuesOf = (typed: Typed): FieldValues =>
  Object.fromEntries(Object.entries(typed).map(([id, { value }]) => [id, value]));

const questionOf = ({ lead: { name } }: LeadTagsAndFieldsContext): UiText =>
  name === null
    ? msg`Is this person not a lead?\n\nTheir conversation, notes, tags and fields are deleted, and nothing they write is stored from now on. You can undo this for 30 seconds. If you restore them later in Settings, they start from scratch.`
    : msg`Is ${{ name }} not a lead?\n\nTheir conversation, notes, tags and fields are deleted, and nothing they write is stored from now on. You can undo this for 30 seconds. If you restore them later in Settings, they start from scratch.`;

const excludedMessage = (name: string | null): UiText =>
  name === null ? msg`This person is no longer a lead.` : msg`${{ name }} is no longer a lead.`;

/** Stores the failure of a part, shown beside it. */
const partFailed = <const Of extends Part, const What extends string>(part: Of, text: FailureText, what: What) =>
  [
    {
      type: "storeProblem",
      params: ({ event }: { event: { error: unknown } }) => ({ part, problem: failureMessage(event.error, text) }),
    },
    reportFailure(what),
    // Other charts reload the lead: it may have changed after all.
    "reportChange",
  ] as const;

/** Ends the exclusion, even after the panel is closed. Resolves to whether it succeeded. */
const restoreLead = (
  page: Page,
  { gateway, onChanged, excluded }: LeadTagsAndFieldsParts,
  telegramUserId: string,
): Promise<boolean> =>
  writeInBackground(
    page,
    async () => {
      const leadId = await gateway.restore({ telegramUserId });
      if (leadId !== null) excluded.remove(leadId);
      return leadId;
    },
    {
      done: (leadId) =>
        leadId === null ? msg`Restored. Their next message creates a new lead.` : msg`The lead is back.`,
      failed: RESTORE_FAILED,
      what: "an exclusion was not undone",
    },
  ).finally(onChanged);

/**
 * A lead's tags and custom fields, and its exclusion, independent of each other. What is typed survives a save, a failed save and a newer
 * version of the lead.
 */
export const createLeadTagsAndFields = (page: Page, { gateway, onChanged, excluded }: LeadTagsAndFieldsParts) =>
  setup({
    types: {
      input: {} as { lead: EditableLead },
      context: {} as LeadTagsAndFieldsContext,
      events: {} as
        | { type: "lead.read"; lead: EditableLead }
        | { type: "tags.set"; tagIds: readonly string[] }
        | { type: "field.change"; field: Field; text: string }
        /** The fields that exist now. Text typed into a deleted field is dropped. */
        | { type: "fields.listed"; ids: readonly string[] }
        | { type: "fields.cancel" }
        | { type: "fields.save" }
        | { type: "lead.exclude" },
    },
    actors: {
      saveTags: writing(page, gateway.setTags, { failed: SAVE_FAILED }),
      saveFields: writing(page, gateway.setFields, { failed: SAVE_FAILED }),
      askConfirmation: confirming(page.notifier),
      excludeLead: writing(page, gateway.exclude, { failed: EXCLUSION_FAILED }),
    },
    actions: {
      storeLead: assign((_, { lead }: { lead: EditableLead }) => ({ lead })),
      storeTagIds: assign((_, { tagIds }: { tagIds: readonly string[] }) => ({ tagIds })),
      storeTags: assign(({ context }, tags: readonly LeadTag[]) => ({ lead: { ...context.lead, tags } })),
      storeTyped: assign(({ context }, { field, text }: { field: Field; text: string }) => ({
        typed: { ...context.typed, [field.id]: readTyped(field, text) },
      })),
      dropUnlisted: assign(({ context: { typed } }, { ids }: { ids: readonly string[] }) => ({
        typed: Object.fromEntries(Object.entries(typed).filter(([id]) => ids.includes(id))),
      })),
      forgetTyped: assign({ typed: {} }),
      markSent: assign(({ context }) => ({ sent: context.typed })),
      /** Keeps what the user typed during the save. */
      storeFields: assign(({ context: { lead, typed, sent } }, fields: FieldValues) => ({
        lead: { ...lead, fields },
        typed: Object.fromEntries(Object.entries(typed).filter(([id, { text }]) => text !== sent[id]?.text)),
      })),
      storeProblem: assign(({ context }, { part, problem }: { part: Part; problem: UiTextOrString }) => ({
        problems: { ...context.problems, [part]: problem },
      })),
      forgetProblem: assign(({ context }, { part }: { part: Part }) => ({
        problems: { ...context.problems, [part]: null },
      })),
      reportChange: onChanged,
      /** Offers Undo in the toast and on the lead's page. */
      offerUndo(
        _args,
        { leadId, name, telegramUserId }: { leadId: string; name: string | null; telegramUserId: string },
      ) {
        let isUsed = false;
        const undo = async () => {
          if (isUsed) return;
          isUsed = true;
          isUsed = await restoreLead(page, { gateway, onChanged, excluded }, telegramUserId);
        };
        excluded.add(leadId, name, () => void undo());
        page.notifier.toast(excludedMessage(name), {
          undo: { label: msg`Undo`, onPress: () => void undo() },
          durationMs: UNDO_ACTS_MS,
        });
      },
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isTyped: ({ context }) => Object.keys(context.typed).length > 0,
      isReadable: ({ context }) => {
        const typed = Object.values(context.typed);
        return typed.length > 0 && typed.every(({ problem }) => problem === null);
      },
      isConfirmed,
    },
  }).createMachine({
    id: "leadTagsAndFields",
    context: ({ input }) => ({
      lead: input.lead,
      tagIds: [],
      typed: {},
      sent: {},
      problems: { tags: null, fields: null, lead: null },
    }),
    on: {
      "lead.read": { actions: withEvent("storeLead") },
      "fields.listed": { actions: withEvent("dropUnlisted") },
    },
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
                actions: [withOutput("storeTags"), "reportChange"],
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
                actions: [withOutput("storeFields"), "reportChange"],
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
            ...confirmState(
              ({ context }: { context: LeadTagsAndFieldsContext }) => ({ message: questionOf(context) }),
              {
                yes: "excluding",
                no: "resting",
              },
            ),
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
                  "reportChange",
                ],
              },
              onError: { target: "resting", actions: partFailed("lead", EXCLUSION_FAILED, "a lead was not excluded") },
            },
          },
        },
      },
    },
  });

export const LeadTagsAndFieldsChart = createChart<typeof createLeadTagsAndFields>("lead's tags and fields");
