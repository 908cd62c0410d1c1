import { type SnapshotFrom, assign, raise, setup } from "xstate";
import { asking, isConfirmed } from "../kit/asking.ts";
import { leadsText } from "../kit/format.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { type ReadingEvent, type ReadingTag, reading } from "../kit/reading.ts";
import { refusedAbout } from "../kit/failed.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import {
  type CatalogForm,
  type CatalogItem,
  type CatalogSaved,
  deleteFailed,
  saveFailed,
  placeholderActors,
} from "./catalog.actors.ts";

type CatalogContext = {
  noun: { one: string; many: string };
  items: readonly CatalogItem[];
  /** The one in hand; null while a new one is written, or none is. */
  active: CatalogItem | null;
  form: CatalogForm;
  moveTo: string | null | undefined;
  /** Why it asks where leads go. */
  asks: string | null;
  problem: string | null;
  about: string | null;
  /** What is missing or refused, by field. */
  refused: Readonly<Record<string, string>>;
};

const BLANK: CatalogForm = { name: "" };

const questionOf = ({ noun, active }: CatalogContext): string => {
  const count = active?.leads ?? 0;
  const what =
    noun.one === "field"
      ? `The value that ${leadsText(count)} ${count === 1 ? "has" : "have"} in it goes`
      : `${leadsText(count)} ${count === 1 ? "carries" : "carry"} it. It goes from all of them`;
  return `Delete the ${noun.one} '${active?.name ?? ""}'?\n\n${what}. You can undo it for 30 seconds.`;
};

/**
 * Tags, own fields, saved views: named things that a person makes for their leads. One is written at a time; one that leads carry is not
 * deleted before the person has confirmed it, and what they would lose by a change is asked about.
 */
export const catalogMachine = setup({
  types: {
    input: {} as { noun: { one: string; many: string } },
    context: {} as CatalogContext,
    events: {} as
      | ReadingEvent
      | { type: "item.add"; form: CatalogForm }
      | { type: "item.edit"; id: string; form: CatalogForm }
      | { type: "item.delete"; id: string }
      | { type: "form.change"; change: Partial<CatalogForm> }
      | { type: "form.cancel" }
      | { type: "form.submit" }
      | { type: "target.choose"; moveTo: string | null }
      | { type: "target.cancel" },
    tags: {} as ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    storeItems: assign((_, items: readonly CatalogItem[]) => ({ items })),
    startNew: assign((_, { form }: { form: CatalogForm }) => ({
      active: null,
      form,
      problem: null,
      refused: {},
    })),
    startEdit: assign(({ context }, { id, form }: { id: string; form: CatalogForm }) => ({
      active: context.items.find((item) => item.id === id) ?? null,
      form,
      problem: null,
      refused: {},
    })),
    storeForm: assign(({ context }, { change }: { change: Partial<CatalogForm> }) => ({
      form: { ...context.form, ...change },
      problem: null,
      refused: {},
    })),
    forgetTarget: assign({ moveTo: undefined }),
    storeQuestion: assign((_, { asks }: CatalogSaved) => ({ asks })),
    storeTarget: assign((_, { moveTo }: { moveTo: string | null }) => ({ moveTo })),
    forgetQuestion: assign({ asks: null }),
    choose: assign(({ context }, { id }: { id: string }) => ({
      active: context.items.find((item) => item.id === id) ?? null,
      problem: null,
    })),
    letGo: assign({ active: null, form: BLANK, moveTo: undefined, refused: {} }),
    markMissing: assign(({ context: { noun } }) => ({
      problem: null,
      refused: { name: `Give the ${noun.one} a name.` },
    })),
    dropActive: assign(({ context }) => ({ items: context.items.filter(({ id }) => id !== context.active?.id) })),
    storeProblem: assign(refusedAbout(({ active }: CatalogContext) => active?.id ?? null)),
    forgetProblem: assign({ problem: null }),
    /** Says that it is gone, with the step back beside it. */
    offerUndo: (_args, _params: { id: string; name: string }) => {},
    refresh: raise({ type: "reading.refresh" }),
    reportFailure: unreported,
  },
  guards: {
    isListed: ({ context }, { id }: { id: string }) => context.items.some((item) => item.id === id),
    isCarried: ({ context }, { id }: { id: string }) =>
      context.items.some((item) => item.id === id && (item.leads ?? 0) > 0),
    isNamed: ({ context }) => context.form.name.trim() !== "",
    mustAsk: (_, { asks }: CatalogSaved) => asks !== null,
    isConfirmed,
  },
}).createMachine({
  id: "catalog",
  context: ({ input }) => ({
    noun: input.noun,
    items: [],
    active: null,
    form: BLANK,
    moveTo: undefined,
    asks: null,
    problem: null,
    about: null,
    refused: {},
  }),
  invoke: { id: "watchCatalog", src: "watchCatalog" },
  type: "parallel",
  states: {
    list: reading({ src: "listItems", store: "storeItems", what: "the list" }),
    work: {
      initial: "resting",
      states: {
        resting: {
          entry: "letGo",
          on: {
            "item.add": { target: "editing", actions: withEvent("startNew") },
            "item.edit": { guard: withEvent("isListed"), target: "editing", actions: withEvent("startEdit") },
            "item.delete": [
              { guard: withEvent("isCarried"), target: "awaitingConfirmation", actions: withEvent("choose") },
              { guard: withEvent("isListed"), target: "deleting", actions: withEvent("choose") },
            ],
          },
        },
        editing: {
          on: {
            "form.change": { actions: withEvent("storeForm") },
            "form.cancel": { target: "resting", actions: "forgetProblem" },
            "form.submit": [
              { guard: "isNamed", target: "saving", actions: "forgetTarget" },
              { actions: "markMissing" },
            ],
          },
        },
        saving: {
          invoke: {
            id: "saveItem",
            src: "saveItem",
            input: ({ context: { active, form, moveTo } }) => ({
              id: active?.id ?? null,
              form,
              moveTo,
            }),
            onDone: [
              { guard: withOutput("mustAsk"), target: "awaitingTarget", actions: withOutput("storeQuestion") },
              { target: "resting", actions: ["forgetProblem", "refresh"] },
            ],
            onError: {
              target: "editing",
              actions: [
                {
                  type: "storeProblem",
                  params: ({ event, context }) => ({ error: event.error, text: saveFailed(context.noun.one) }),
                },
                reportFailure("what was made for leads was not saved"),
                "refresh",
              ],
            },
          },
        },
        awaitingTarget: {
          exit: "forgetQuestion",
          on: {
            "target.choose": { target: "saving", actions: withEvent("storeTarget") },
            "target.cancel": "editing",
          },
        },
        awaitingConfirmation: asking(({ context }: { context: CatalogContext }) => ({ message: questionOf(context) }), {
          yes: "deleting",
          no: "resting",
        }),
        deleting: {
          invoke: {
            id: "removeItem",
            src: "removeItem",
            input: ({ context }) => ({ id: context.active?.id ?? "" }),
            onDone: {
              target: "resting",
              actions: [
                {
                  type: "offerUndo",
                  params: ({ context }) => ({ id: context.active?.id ?? "", name: context.active?.name ?? "" }),
                },
                "dropActive",
                "refresh",
              ],
            },
            onError: {
              target: "resting",
              actions: [
                {
                  type: "storeProblem",
                  params: ({ event, context }) => ({ error: event.error, text: deleteFailed(context.noun.one) }),
                },
                reportFailure("what was made for leads was not deleted"),
                "refresh",
              ],
            },
          },
        },
      },
    },
  },
});

export type CatalogSnapshot = SnapshotFrom<typeof catalogMachine>;
