import { fromPromise } from "xstate";
import type { Exclusion } from "../../../domain/exclusion.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import { refusalOr } from "../kit/refused.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

export type ExclusionsGateway = {
  list(signal: AbortSignal): Promise<readonly Exclusion[]>;
  restore(input: { telegramUserId: string }): Promise<string | null>;
};

export type ExclusionsDeps = WritingDeps & {
  exclusions: ExclusionsGateway;
  events: { subscribe(type: "exclusions.changed", listener: () => void): () => void };
};

export const NOT_RESTORED = "The person was not restored. Try again.";

export const placeholderActors = {
  listExclusions: notProvided<readonly Exclusion[], void>("listExclusions"),
  restorePerson: notProvided<string | null, { telegramUserId: string }>("restorePerson"),
  watchExclusions: unwatched,
};

export const createExclusionsActors = ({ exclusions, events, ...page }: ExclusionsDeps): typeof placeholderActors => ({
  listExclusions: fromPromise(({ signal }) => exclusions.list(signal)),
  restorePerson: writing<string | null, { telegramUserId: string }>(page, (input) => exclusions.restore(input), {
    done: "Restored.",
    failed: refusalOr(NOT_RESTORED),
  }),
  watchExclusions: watchingReturns((listener) => events.subscribe("exclusions.changed", listener)),
});
