import { fromPromise } from "xstate";
import { failureOf } from "../../../domain/problem.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";

import { type Notifier, confirming } from "../kit/speaking.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import type { FailureText } from "../kit/failed.ts";

/** What a person makes for their leads, such as a tag; `leads` is how many carry it. */
export type CatalogItem = { id: string; name: string; leads?: number };
/** What is typed of one, by the names of the call's body. */
export type CatalogForm = { name: string } & Readonly<Record<string, unknown>>;
/** `id` null is a new one; `moveTo` says where the leads of what is removed go. */
export type CatalogSave = { id: string | null; form: CatalogForm; moveTo: string | null | undefined };
/** `asks`: it is not saved before the person has said where the leads go that hold what would be removed. */
export type CatalogSaved = { asks: string | null };

export type CatalogGateway<Item extends CatalogItem = CatalogItem> = {
  list(signal: AbortSignal): Promise<readonly Item[]>;
  add(input: { form: CatalogForm }): Promise<unknown>;
  change(input: { id: string; form: CatalogForm; moveTo: string | null | undefined }): Promise<unknown>;
  remove(input: { id: string }): Promise<void>;
  restore(input: { id: string }): Promise<unknown>;
};

export type CatalogDeps = WritingDeps & {
  catalog: CatalogGateway;
  notifier: Pick<Notifier, "toast" | "warn" | "confirm">;
  /** Calls back when something of the catalog may have changed. */
  onChanged: (listener: () => void) => () => void;
  /** What its things are called: `tag`, `tags`. */
  noun: { one: string; many: string };
};

export const placeholderActors = {
  listItems: notProvided<readonly CatalogItem[], void>("listItems"),
  saveItem: notProvided<CatalogSaved, CatalogSave>("saveItem"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  removeItem: notProvided<void, { id: string }>("removeItem"),
  watchCatalog: unwatched,
};

export const saveFailed = (one: string): FailureText => ({
  refused: `The ${one} was not saved. Try again.`,
  unknown: `The ${one} may have been saved. Try again: it is not saved twice.`,
});
export const deleteFailed = (one: string): FailureText => ({
  refused: `The ${one} was not deleted. Try again.`,
  unknown: `The ${one} may have been deleted.`,
});

export const createCatalogActors = ({ catalog, onChanged, noun, ...page }: CatalogDeps): typeof placeholderActors => ({
  listItems: fromPromise(({ signal }) => catalog.list(signal)),
  saveItem: writing<CatalogSaved, CatalogSave>(
    page,
    async ({ id, form, moveTo }) => {
      try {
        await (id === null ? catalog.add({ form }) : catalog.change({ id, form, moveTo }));
        return { asks: null };
      } catch (error) {
        const { code, message } = failureOf(error);
        if (code !== "option_in_use") throw error;
        return { asks: message ?? "Leads hold what you remove." };
      }
    },
    {
      done: ({ asks }) => (asks === null ? "Saved" : { failed: saveFailed(noun.one).refused }),
      failed: saveFailed(noun.one),
    },
  ),
  askConfirmation: confirming(page.notifier),
  removeItem: writing<void, { id: string }>(page, (input) => catalog.remove(input), { failed: deleteFailed(noun.one) }),
  watchCatalog: watchingReturns(onChanged),
});
