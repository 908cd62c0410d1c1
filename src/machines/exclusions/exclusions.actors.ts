import { fromPromise } from "xstate";
import type { Exclusion } from "../../../domain/exclusion.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import type { FailureText } from "../kit/failed.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

export type ExclusionsGateway = {
  list(signal: AbortSignal): Promise<readonly Exclusion[]>;
  restore(input: { telegramUserId: string }): Promise<string | null>;
};

export type ExclusionsDeps = WritingDeps & {
  exclusions: ExclusionsGateway;
  events: { subscribe(type: "exclusions.changed", listener: () => void): () => void };
};

export const RESTORE_FAILED: FailureText = {
  refused: "The person was not restored. Try again.",
  unknown: "The person may have been restored.",
};

export const placeholderActors = {
  listExclusions: notProvided<readonly Exclusion[], void>("listExclusions"),
  restorePerson: notProvided<string | null, { telegramUserId: string }>("restorePerson"),
  watchExclusions: unwatched,
};

export const createExclusionsActors = ({ exclusions, events, ...page }: ExclusionsDeps): typeof placeholderActors => ({
  listExclusions: fromPromise(({ signal }) => exclusions.list(signal)),
  restorePerson: writing<string | null, { telegramUserId: string }>(page, (input) => exclusions.restore(input), {
    done: "Restored.",
    failed: RESTORE_FAILED,
  }),
  watchExclusions: watchingReturns((listener) => events.subscribe("exclusions.changed", listener)),
});
