import { msg } from "@lingui/core/runtime-macro";
import * as v from "valibot";
import { jsonText } from "../../services/drafts.ts";
import { type SnapshotFrom, assign, raise, setup } from "xstate";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { type OptionInUse, OptionInUseProblem } from "../../../domain/option-in-use.ts";
import { failureOf } from "../../../domain/problem.ts";
import type { createTagsGateway } from "../../services/catalog.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { confirmState, confirming, isConfirmed } from "../kit/confirming.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { loadRegion, watchingReturns } from "../kit/refreshing.ts";
import { refusedAbout, writeInBackground, writing } from "../kit/writing.ts";
import {
  deletedMessage,
  deleteFailed,
  deletionQuestion,
  namelessMessage,
  restoredMessage,
  restoreFailed,
  saveFailed,
} from "./catalog.texts.ts";

export type CatalogKind = "tag" | "field" | "view";
/** What users create for their leads, such as a tag; `leads` counts the leads that have it. */
export type CatalogItem = { id: string; name: string; leads?: number };
/** The form of an item, with the field names of the request. */
export type CatalogForm = { name: string } & Readonly<Record<string, unknown>>;
/** `id` null is a new item; `moveTo` is where leads move from the removed options. */
type CatalogSave = { id: string | null; form: CatalogForm; moveTo: string | null | undefined };
/** `asks`: nothing is saved until the user says where the leads with removed options move. */
type CatalogSaved = { asks: OptionInUse | null };

/** Tags, fields and views have the same calls. */
export type CatalogService = Omit<ReturnType<typeof createTagsGateway>, "list"> & {
  list: (signal: AbortSignal) => Promise<readonly CatalogItem[]>;
};

type CatalogParts = {
  catalog: CatalogService;
  kind: CatalogKind;
  /** Calls back when the catalog may have changed. */
  onChanged: (listener: () => void) => () => void;
};

/** The unsaved form; `at` is the item's id, or a marker for a new one. */
export const catalogDraft = (drafts: Page["drafts"], kind: CatalogKind) =>
  drafts.of(`a ${kind}`, { at: v.string(), form: jsonText(v.looseObject({ name: v.string() })) });

type CatalogContext = {
  kind: CatalogKind;
  items: readonly CatalogItem[];
  /** The item being edited; null for a new one or none. */
  active: CatalogItem | null;
  form: CatalogForm;
  moveTo: string | null | undefined;
  /** The options in use, if the user must choose where their leads move. */
  asks: OptionInUse | null;
  problem: UiTextOrString | null;
  about: string | null;
  refused: Readonly<Record<string, UiTextOrString>>;
};

const BLANK: CatalogForm = { name: "" };

const questionOf = ({ kind, active }: CatalogContext): UiText =>
  deletionQuestion(kind, active?.name ?? "", active?.leads ?? 0);

/** Undo outlives the screen. Every visible catalog learns of it by an event. */
const restore = (page: Page, { catalog, kind }: CatalogParts, id: string) =>
  writeInBackground(page, () => catalog.restore({ id }), {
    done: () => restoredMessage(kind),
    failed: restoreFailed(kind),
    what: "a deleted tag, field or view was not restored",
  });

/**
 * Tags, custom fields and saved views. One item is written at a time. The user confirms before a deletion or a change removes data from
 * leads.
 */
export const createCatalog = (page: Page, parts: CatalogParts) =>
  setup({
    types: {
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
    actors: {
      listItems: fetching(parts.catalog.list),
      saveItem: writing(
        page,
        async ({ id, form, moveTo }: CatalogSave): Promise<CatalogSaved> => {
          try {
            await (id === null ? parts.catalog.add({ form }) : parts.catalog.change({ id, form, moveTo }));
          } catch (error) {
            const { body } = failureOf(error);
            if (!v.is(OptionInUseProblem, body)) throw error;
            return { asks: body.params };
          }
          catalogDraft(page.drafts, parts.kind).forget();
          return { asks: null };
        },
        {
          done: ({ asks }) => (asks === null ? "Saved" : { failed: saveFailed(parts.kind).refused }),
          failed: () => saveFailed(parts.kind),
        },
      ),
      askConfirmation: confirming(page.notifier),
      removeItem: writing(page, parts.catalog.remove, {
        failed: () => deleteFailed(parts.kind),
      }),
      watchCatalog: watchingReturns(parts.onChanged),
    },
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
      clearActive: assign({ active: null, form: BLANK, moveTo: undefined, refused: {} }),
      markMissing: assign(({ context: { kind } }) => ({
        problem: null,
        refused: { name: namelessMessage(kind) },
      })),
      dropActive: assign(({ context }) => ({ items: context.items.filter(({ id }) => id !== context.active?.id) })),
      storeProblem: assign(refusedAbout(({ active }: CatalogContext) => active?.id ?? null)),
      forgetProblem: assign({ problem: null }),
      /** Says that the item was deleted, with Undo. */
      offerUndo: (_args, { id, name }: { id: string; name: string }) =>
        page.notifier.toast(deletedMessage(parts.kind, name), {
          undo: { label: msg`Undo`, onPress: () => void restore(page, parts, id) },
          durationMs: 30_000,
        }),
      refresh: raise({ type: "reading.refresh" }),
      reportFailure: createReporter(page.logger),
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
    context: {
      kind: parts.kind,
      items: [],
      active: null,
      form: BLANK,
      moveTo: undefined,
      asks: null,
      problem: null,
      about: null,
      refused: {},
    },
    invoke: { id: "watchCatalog", src: "watchCatalog" },
    type: "parallel",
    states: {
      list: loadRegion({ src: "listItems", store: "storeItems" }),
      work: {
        initial: "resting",
        states: {
          resting: {
            entry: "clearActive",
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
                    params: ({ event, context }) => ({ error: event.error, text: saveFailed(context.kind) }),
                  },
                  reportFailure("a tag, field or view was not saved"),
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
          awaitingConfirmation: confirmState(
            ({ context }: { context: CatalogContext }) => ({ message: questionOf(context) }),
            {
              yes: "deleting",
              no: "resting",
            },
          ),
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
                    params: ({ event, context }) => ({ error: event.error, text: deleteFailed(context.kind) }),
                  },
                  reportFailure("a tag, field or view was not deleted"),
                  "refresh",
                ],
              },
            },
          },
        },
      },
    },
  });

export const Catalog = createChart<typeof createCatalog>("catalog");
/** Separate handles, because a screen of leads uses both. */
export const Tags = createChart<typeof createCatalog>("tags");
export const Fields = createChart<typeof createCatalog>("fields");

type Snapshot = SnapshotFrom<typeof createCatalog>;

/** Casts the items of a catalog whose kind the caller knows. */
export const itemsAs =
  <Item extends CatalogItem>() =>
  (chart: Snapshot) =>
    chart.context.items as readonly Item[];
export const selectIsEditing = (chart: Snapshot): boolean =>
  (["editing", "saving", "awaitingTarget"] as const).some((work) => chart.matches({ work }));
