import { type AnyEventObject, fromCallback, fromPromise } from "xstate";
import type { OverdueFollowups } from "../../../domain/followup.ts";
import { failureOf } from "../../../domain/problem.ts";
import { notProvided } from "../kit/not-provided.ts";
import { type Notifier, confirming } from "../kit/speaking.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import { plannedWords } from "./overdue-followups.words.ts";

export type OverdueGateway = {
  overdue(signal: AbortSignal): Promise<OverdueFollowups>;
  /** Null means every overdue follow-up; resolves to how many will go out. */
  confirmOverdue(input: { leadIds: string[] | null }): Promise<number>;
};

export type OverdueFollowupsDeps = WritingDeps & {
  followups: OverdueGateway;
  /** Tells when steps or the automation's settings were saved, which may change what is overdue. */
  news: { onPlanChanged(listener: () => void): () => void };
  notifier: Pick<Notifier, "confirm">;
};

export const placeholderActors = {
  fetchOverdue: notProvided<OverdueFollowups, void>("fetchOverdue"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  planOverdue: notProvided<number, { leadIds: string[] | null }>("planOverdue"),
  watchPlan: fromCallback<AnyEventObject>(() => {}),
};

export const createOverdueActors = ({ followups, news, ...page }: OverdueFollowupsDeps): typeof placeholderActors => ({
  fetchOverdue: fromPromise(({ signal }) => followups.overdue(signal)),
  askConfirmation: confirming(page.notifier),
  planOverdue: writing(page, (input) => followups.confirmOverdue(input), {
    done: plannedWords,
    failed: (error) => failureOf(error).message ?? "The overdue follow-ups were not sent.",
  }),
  watchPlan: fromCallback(({ sendBack }) => news.onPlanChanged(() => sendBack({ type: "plan.changed" }))),
});
