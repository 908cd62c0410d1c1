import { type AnyEventObject, fromCallback, fromPromise } from "xstate";
import type { OverdueFollowups } from "../../../domain/followup.ts";
import { notProvided } from "../kit/not-provided.ts";

export type OverdueGateway = {
  overdue(signal: AbortSignal): Promise<OverdueFollowups>;
  /** Null means every overdue follow-up; resolves to how many will go out. */
  confirmOverdue(input: { leadIds: string[] | null }, signal: AbortSignal): Promise<number>;
};

export type OverdueFollowupsDeps = {
  followups: OverdueGateway;
  /** Tells when steps or the automation's settings were saved, which may change what is overdue. */
  news: { onPlanChanged(listener: () => void): () => void };
  notifier: { toast(message: string): void; confirm(message: string): Promise<boolean> };
  logger: { warn(what: string, error: unknown): void };
};

export const placeholderActors = {
  fetchOverdue: notProvided<OverdueFollowups, void>("fetchOverdue"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  planOverdue: notProvided<number, { leadIds: string[] | null }>("planOverdue"),
  watchPlan: fromCallback<AnyEventObject>(() => {}),
};

export const createOverdueActors = ({ followups, news, notifier }: OverdueFollowupsDeps): typeof placeholderActors => ({
  fetchOverdue: fromPromise(({ signal }) => followups.overdue(signal)),
  askConfirmation: fromPromise(({ input }) => notifier.confirm(input.message)),
  planOverdue: fromPromise(({ input, signal }) => followups.confirmOverdue(input, signal)),
  watchPlan: fromCallback(({ sendBack }) => news.onPlanChanged(() => sendBack({ type: "plan.changed" }))),
});
