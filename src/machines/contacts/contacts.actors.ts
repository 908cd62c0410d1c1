import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import { type Notifier, confirming } from "../kit/speaking.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import type { FailureText } from "../kit/failed.ts";

export type ContactsDeps = WritingDeps & {
  contacts: {
    /** Whether they are left out. */
    read(signal: AbortSignal): Promise<boolean>;
    /** Resolves to whether they are left out from now on. */
    save(input: { areLeftOut: boolean }): Promise<boolean>;
  };
  notifier: Pick<Notifier, "confirm">;
  /** Tells when the page comes back: what it shows may be old. */
  onReturn: (listener: () => void) => () => void;
};

export const SAVE_FAILED: FailureText = {
  refused: "It was not saved. Try again.",
  unknown: "It may have been saved.",
};
export const QUESTION =
  "Leave your Telegram contacts out?\n\nFrom now on nothing that your contacts write is stored, and none of them becomes a lead. Contacts who " +
  "are leads already stay leads, with their conversations.\n\nYou can take them in again at any time, but what they wrote meanwhile does not come by itself.";

export const placeholderActors = {
  readContacts: notProvided<boolean, void>("readContacts"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  saveContacts: notProvided<boolean, { areLeftOut: boolean }>("saveContacts"),
  watchReturns: unwatched,
};

export const createContactsActors = ({ contacts, onReturn, ...page }: ContactsDeps): typeof placeholderActors => ({
  readContacts: fromPromise(({ signal }) => contacts.read(signal)),
  askConfirmation: confirming(page.notifier),
  saveContacts: writing<boolean, { areLeftOut: boolean }>(page, (input) => contacts.save(input), {
    done: (areLeftOut) => newsOf(areLeftOut),
    failed: {
      refused: "Whether contacts become leads was not saved.",
      unknown: "Whether contacts become leads may have been saved.",
    },
  }),
  watchReturns: watchingReturns(onReturn),
});

/** What holds from now on. */
export const newsOf = (areLeftOut: boolean): string =>
  areLeftOut ? "Your contacts are left out from now on." : "Your contacts become leads again when they write.";
