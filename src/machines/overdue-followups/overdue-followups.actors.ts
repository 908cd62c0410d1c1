import { fromPromise } from "xstate";
import type { OverdueFollowups } from "../../../domain/followup.ts";
import { failureOf } from "../../../domain/problem.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";

import { type Notifier, confirming } from "../kit/speaking.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import { plannedWords } from "./overdue-followups.words.ts";
import type { FailureText } from "../kit/failed.ts";

export type OverdueGateway = {
  overdue(signal: AbortSignal): Promise<OverdueFollowups>;
  /** Null means every overdue follow-up; resolves to how many will go out. */
  confirmOverdue(input: { leadIds: string[] | null }): Promise<number>;
};

export type OverdueFollowupsDeps = WritingDeps & {
  followups: OverdueGateway;
  /** Tells when steps or the automation's settings were saved, which may change what is overdue. */
  news: { onPlanChanged(listener: () => void): () => void };
  /** Tells when the page comes back: what it shows may be old. */
  onReturn: (listener: () => void) => () => void;
  notifier: Pick<Notifier, "confirm">;
};

export const SEND_FAILED: FailureText = {
  refused: "The overdue follow-ups were not sent. Try again.",
  unknown: "The overdue follow-ups may have been planned. Those still listed were not: try again.",
};

export const placeholderActors = {
  fetchOverdue: notProvided<OverdueFollowups, void>("fetchOverdue"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  planOverdue: notProvided<number, { leadIds: string[] | null }>("planOverdue"),
  watchPlan: unwatched,
  watchReturns: unwatched,
};

export const createOverdueActors = ({
  followups,
  news,
  onReturn,
  ...page
}: OverdueFollowupsDeps): typeof placeholderActors => ({
  // A server that does not know the call has none.
  fetchOverdue: fromPromise(async ({ signal }) => {
    try {
      return await followups.overdue(signal);
    } catch (error) {
      if (failureOf(error).status === 404) return { total: 0, leads: [] };
      throw error;
    }
  }),
  askConfirmation: confirming(page.notifier),
  planOverdue: writing(page, (input) => followups.confirmOverdue(input), {
    done: plannedWords,
    failed: SEND_FAILED,
  }),
  watchPlan: watchingReturns((listener) => news.onPlanChanged(listener)),
  watchReturns: watchingReturns(onReturn),
});
