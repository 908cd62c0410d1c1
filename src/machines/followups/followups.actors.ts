import { fromPromise } from "xstate";
import type { Followup } from "../../../domain/followup.ts";
import type { Stage } from "../../../domain/stage.ts";
import type { FollowupChange, NewFollowup, OrderChange } from "./followups.rows.ts";

export type FollowupsGateway = {
  list(signal: AbortSignal): Promise<Followup[]>;
  add(input: NewFollowup, signal: AbortSignal): Promise<Followup>;
  change(input: FollowupChange, signal: AbortSignal): Promise<void>;
  setOrder(input: OrderChange, signal: AbortSignal): Promise<void>;
  remove(input: { id: string }, signal: AbortSignal): Promise<void>;
};

export type FollowupsDeps = {
  followups: FollowupsGateway;
  /** Stages in their order. */
  stages: { list(signal: AbortSignal): Promise<Stage[]> };
  notifier: { toast(message: string): void; alert(message: string): Promise<void> };
  logger: { warn(what: string, error: unknown): void };
};

export type FollowupsBoard = { followups: Followup[]; stages: Stage[] };
/** Which of a group's changes the server took, and the first failure among the others. */
export type SaveOutcome = { savedIds: string[]; failure: unknown };

const notProvided = (name: string) => () => Promise.reject(new Error(`${name} must be provided`));

export const placeholderActors = {
  fetchBoard: fromPromise<FollowupsBoard>(notProvided("fetchBoard")),
  saveChanges: fromPromise<SaveOutcome, FollowupChange[]>(notProvided("saveChanges")),
  deleteFollowup: fromPromise<void, { id: string }>(notProvided("deleteFollowup")),
  saveOrders: fromPromise<void, OrderChange[]>(notProvided("saveOrders")),
  addFollowup: fromPromise<Followup, NewFollowup>(notProvided("addFollowup")),
  showAlert: fromPromise<void, { message: string }>(notProvided("showAlert")),
};

export const createFollowupsActors = ({ followups, stages, notifier }: FollowupsDeps) => ({
  fetchBoard: fromPromise<FollowupsBoard>(async ({ signal }) => {
    const [known, listed] = await Promise.all([followups.list(signal), stages.list(signal)]);
    return { followups: known, stages: listed };
  }),
  saveChanges: fromPromise<SaveOutcome, FollowupChange[]>(async ({ input, signal }) => {
    const answers = await Promise.allSettled(input.map((change) => followups.change(change, signal)));
    return {
      savedIds: input.filter((_, index) => answers[index]?.status === "fulfilled").map((change) => change.id),
      failure: answers.find((answer) => answer.status === "rejected")?.reason ?? null,
    };
  }),
  deleteFollowup: fromPromise<void, { id: string }>(({ input, signal }) => followups.remove(input, signal)),
  // First to last: each place is free by the time the next row takes it.
  saveOrders: fromPromise<void, OrderChange[]>(async ({ input, signal }) => {
    for (const change of input) await followups.setOrder(change, signal);
  }),
  addFollowup: fromPromise<Followup, NewFollowup>(({ input, signal }) => followups.add(input, signal)),
  showAlert: fromPromise<void, { message: string }>(({ input }) => notifier.alert(input.message)),
});
