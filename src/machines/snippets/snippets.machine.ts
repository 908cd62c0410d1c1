import * as v from "valibot";
import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, assign, raise, setup } from "xstate";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import type { Snippet } from "../../../domain/snippet.ts";
import { type SnippetDraft, createSnippetsGateway } from "../../services/snippets.ts";
import { fileProblem, lengthOf } from "../composer/composer.attaching.ts";
import { createChart, withEvent } from "../kit/chart.ts";
import { confirmState, confirming, isConfirmed } from "../kit/confirming.ts";
import { type ReadingEvent, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { loadRegion, watchingReturns } from "../kit/refreshing.ts";
import { type FailureText, failed, refusedAbout, writing } from "../kit/writing.ts";

export type SnippetsParts = {
  snippets?: ReturnType<typeof createSnippetsGateway>;
};

/** `lostMedia`: the name of a chosen file that a reload lost; empty when there is none. */
type TypedSnippet = SnippetDraft & { lostMedia: string };

const SAVE_FAILED: FailureText = {
  refused: msg`The snippet was not saved. Try again.`,
  unknown: msg`The snippet may have been saved. Try again: it is not saved twice.`,
};
const DELETE_FAILED: FailureText = {
  refused: msg`The snippet was not deleted. Try again.`,
  unknown: msg`The snippet may have been deleted.`,
};

type SnippetsContext = {
  snippets: readonly Snippet[];
  /** The snippet being edited; null for a new one or none. */
  active: Snippet | null;
  form: TypedSnippet;
  problem: UiTextOrString | null;
  about: string | null;
  refused: Readonly<Record<string, UiTextOrString>>;
};

const BLANK: TypedSnippet = { title: "", text: "", media: undefined, lostMedia: "" };

/** The unsaved form of a snippet; `id` null is a new one. Of a chosen file only the name is stored. */
export const snippetDraft = (drafts: Page["drafts"], id: string | null) =>
  drafts.of(`snippet ${id ?? "new"}`, {
    title: v.string(),
    text: v.string(),
    lostMedia: v.string(),
    isFileGone: v.boolean(),
  });

/** Whether the snippet will have a file after this save. */
export const hasFile = ({ form, active }: Pick<SnippetsContext, "form" | "active">): boolean =>
  form.media instanceof File || (form.media === undefined && active?.media != null);

/** A field problem shown while typing also blocks the save. */
const isFit = (context: Pick<SnippetsContext, "form" | "active">): boolean =>
  lengthOf(context.form.text, hasFile(context)).problem === undefined &&
  fileProblem(context.form.media ?? null) === undefined;

/** Returns the missing fields of a snippet. */
const missingIn = (context: Pick<SnippetsContext, "form" | "active">): Readonly<Record<string, UiText>> => ({
  ...(context.form.title.trim() === "" && { title: msg`Enter a title.` }),
  ...(context.form.text.trim() === "" && !hasFile(context) && { text: msg`Enter a text or choose a file.` }),
});

/** Saved replies. One is saved at a time, empty or too long ones are refused, and each deletion is confirmed. */
export const createSnippets = (page: Page, { snippets = createSnippetsGateway(page.http) }: SnippetsParts = {}) =>
  setup({
    types: {
      context: {} as SnippetsContext,
      events: {} as
        | ReadingEvent
        | { type: "snippet.add" }
        | { type: "snippet.edit"; id: string }
        | { type: "snippet.delete"; id: string }
        | { type: "form.change"; change: Partial<TypedSnippet> }
        | { type: "form.cancel" }
        | { type: "form.submit" },
    },
    actors: {
      fetchSnippets: fetching(snippets.list),
      saveSnippet: writing(
        page,
        async ({ id, ...form }: SnippetDraft & { id: string | null }) => {
          await (id === null ? snippets.add(form) : snippets.change({ id, ...form }));
          snippetDraft(page.drafts, id).forget();
        },
        { done: msg`Snippet saved`, failed: SAVE_FAILED },
      ),
      askConfirmation: confirming(page.notifier),
      removeSnippet: writing(page, snippets.remove, { done: msg`Snippet deleted`, failed: DELETE_FAILED }),
      watchReturns: watchingReturns(),
    },
    actions: {
      storeSnippets: assign((_, listed: Snippet[]) => ({ snippets: listed })),
      startNew: assign({ active: null, form: BLANK, problem: null, refused: {} }),
      startEdit: assign(({ context }, { id }: { id: string }) => {
        const active = context.snippets.find((snippet) => snippet.id === id) ?? null;
        return {
          active,
          form: { ...BLANK, title: active?.title ?? "", text: active?.text ?? "" },
          problem: null,
          refused: {},
        };
      }),
      storeForm: assign(({ context }, params: { change: Partial<TypedSnippet> }) => ({
        form: { ...context.form, ...params.change },
        problem: null,
        refused: {},
      })),
      choose: assign(({ context }, { id }: { id: string }) => ({
        active: context.snippets.find((snippet) => snippet.id === id) ?? null,
        problem: null,
      })),
      clearActive: assign({ active: null, form: BLANK, refused: {} }),
      markMissing: assign(({ context }) => ({ problem: null, refused: missingIn(context) })),
      dropActive: assign(({ context }) => ({
        snippets: context.snippets.filter(({ id }) => id !== context.active?.id),
      })),
      storeProblem: assign(refusedAbout(({ active }: SnippetsContext) => active?.id ?? null)),
      forgetProblem: assign({ problem: null }),
      refresh: raise({ type: "reading.refresh" }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isListed: ({ context }, params: { id: string }) => context.snippets.some(({ id }) => id === params.id),
      canSave: ({ context }) => Object.keys(missingIn(context)).length === 0 && isFit(context),
      isFit: ({ context }) => isFit(context),
      isConfirmed,
    },
  }).createMachine({
    id: "snippets",
    context: { snippets: [], active: null, form: BLANK, problem: null, about: null, refused: {} },
    invoke: { id: "watchReturns", src: "watchReturns" },
    type: "parallel",
    states: {
      list: loadRegion({ src: "fetchSnippets", store: "storeSnippets", what: msg`the snippets` }),
      work: {
        initial: "resting",
        states: {
          resting: {
            entry: "clearActive",
            on: {
              "snippet.add": { target: "editing", actions: "startNew" },
              "snippet.edit": { guard: withEvent("isListed"), target: "editing", actions: withEvent("startEdit") },
              "snippet.delete": {
                guard: withEvent("isListed"),
                target: "awaitingConfirmation",
                actions: withEvent("choose"),
              },
            },
          },
          editing: {
            on: {
              "form.change": { actions: withEvent("storeForm") },
              "form.cancel": { target: "resting", actions: "forgetProblem" },
              "form.submit": [
                { guard: "canSave", target: "saving" },
                { guard: "isFit", actions: "markMissing" },
              ],
            },
          },
          saving: {
            invoke: {
              id: "saveSnippet",
              src: "saveSnippet",
              input: ({ context: { form, active } }) => ({
                title: form.title,
                text: form.text,
                media: form.media,
                id: active?.id ?? null,
              }),
              onDone: { target: "resting", actions: ["forgetProblem", "refresh"] },
              onError: { target: "editing", actions: [...failed(SAVE_FAILED, "a snippet was not saved"), "refresh"] },
            },
          },
          awaitingConfirmation: confirmState(
            ({ context }: { context: SnippetsContext }) => ({
              message: msg`Delete the snippet “${{ title: context.active?.title ?? "" }}”?`,
            }),
            { yes: "deleting", no: "resting" },
          ),
          deleting: {
            invoke: {
              id: "removeSnippet",
              src: "removeSnippet",
              input: ({ context }) => ({ id: context.active?.id ?? "" }),
              onDone: { target: "resting", actions: ["dropActive", "refresh"] },
              onError: {
                target: "resting",
                actions: [...failed(DELETE_FAILED, "a snippet was not deleted"), "refresh"],
              },
            },
          },
        },
      },
    },
  });

export const Snippets = createChart<typeof createSnippets>("snippets");

/** Whether the form of one snippet is open. */
export const selectIsEditing = (chart: SnapshotFrom<typeof createSnippets>): boolean =>
  chart.matches({ work: "editing" }) || chart.matches({ work: "saving" });
