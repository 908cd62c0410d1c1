import { fromPromise } from "xstate";
import type { Snippet } from "../../../domain/snippet.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { FailureText } from "../kit/failed.ts";
import { type Notifier, confirming } from "../kit/speaking.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

/** What is typed into the form; `media` null takes the file away, undefined leaves what there is. */
export type SnippetForm = { title: string; text: string; media: File | null | undefined };
/** `lostMedia`: the name of a file that was chosen and did not outlive a reload; empty when there is none. */
export type TypedSnippet = SnippetForm & { lostMedia: string };
/** `id` null is a new one. */
export type SnippetSave = SnippetForm & { id: string | null };

export type SnippetsGateway = {
  list(signal: AbortSignal): Promise<Snippet[]>;
  add(input: SnippetForm): Promise<unknown>;
  change(input: SnippetForm & { id: string }): Promise<unknown>;
  remove(input: { id: string }): Promise<void>;
};

export type SnippetsDeps = WritingDeps & { snippets: SnippetsGateway; notifier: Pick<Notifier, "confirm"> };

export const SAVE_FAILED: FailureText = {
  refused: "The snippet was not saved. Try again.",
  unknown: "The snippet may have been saved. Try again: it is not saved twice.",
};
export const DELETE_FAILED: FailureText = {
  refused: "The snippet was not deleted. Try again.",
  unknown: "The snippet may have been deleted.",
};

export const placeholderActors = {
  fetchSnippets: notProvided<Snippet[], void>("fetchSnippets"),
  saveSnippet: notProvided<void, SnippetSave>("saveSnippet"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  removeSnippet: notProvided<void, { id: string }>("removeSnippet"),
};

export const createSnippetsActors = ({ snippets, ...page }: SnippetsDeps): typeof placeholderActors => ({
  fetchSnippets: fromPromise(({ signal }) => snippets.list(signal)),
  saveSnippet: writing<void, SnippetSave>(
    page,
    async ({ id, ...form }) => {
      await (id === null ? snippets.add(form) : snippets.change({ id, ...form }));
    },
    { done: "Snippet saved", failed: SAVE_FAILED },
  ),
  askConfirmation: confirming(page.notifier),
  removeSnippet: writing<void, { id: string }>(page, (input) => snippets.remove(input), {
    done: "Snippet deleted",
    failed: DELETE_FAILED,
  }),
});
