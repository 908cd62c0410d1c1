import { fromPromise } from "xstate";
import { type Stage, sortStages } from "../../../domain/stage.ts";
import type { StageToSave } from "./stages.rows.ts";

export type StagesGateway = {
  list(signal: AbortSignal): Promise<Stage[]>;
  /** Resolves to the new stage's id, or null when the server does not tell it. */
  create(input: Omit<StageToSave, "id">, signal: AbortSignal): Promise<{ id: string | null }>;
  update(input: StageToSave & { id: string }, signal: AbortSignal): Promise<void>;
  setOrder(input: { id: string; order: number }, signal: AbortSignal): Promise<void>;
  remove(input: { id: string }, signal: AbortSignal): Promise<void>;
};

export type StagesDeps = {
  stages: StagesGateway;
  notifier: { alert(message: string): Promise<void>; confirm(message: string): Promise<boolean> };
  logger: { warn(what: string, error: unknown): void };
};

const notProvided = (name: string) => () => Promise.reject(new Error(`${name} must be provided`));

export const placeholderActors = {
  fetchStages: fromPromise<Stage[]>(notProvided("fetchStages")),
  saveStage: fromPromise<{ id: string | null }, StageToSave>(notProvided("saveStage")),
  deleteStage: fromPromise<void, { id: string }>(notProvided("deleteStage")),
  renumberStages: fromPromise<Stage[]>(notProvided("renumberStages")),
  askConfirmation: fromPromise<boolean, { message: string }>(notProvided("askConfirmation")),
  showAlert: fromPromise<void, { message: string }>(notProvided("showAlert")),
};

export const createStagesActors = ({ stages, notifier }: StagesDeps) => ({
  fetchStages: fromPromise<Stage[]>(({ signal }) => stages.list(signal)),
  saveStage: fromPromise<{ id: string | null }, StageToSave>(async ({ input: { id, ...stage }, signal }) => {
    if (id === null) return stages.create(stage, signal);
    await stages.update({ id, ...stage }, signal);
    return { id };
  }),
  deleteStage: fromPromise<void, { id: string }>(({ input, signal }) => stages.remove(input, signal)),
  renumberStages: fromPromise<Stage[]>(async ({ signal }) => {
    const remaining = sortStages(await stages.list(signal));
    for (const [index, { id }] of remaining.entries()) await stages.setOrder({ id, order: index + 1 }, signal);
    return remaining.map((stage, index) => ({ ...stage, order: index + 1 }));
  }),
  askConfirmation: fromPromise<boolean, { message: string }>(({ input }) => notifier.confirm(input.message)),
  showAlert: fromPromise<void, { message: string }>(({ input }) => notifier.alert(input.message)),
});
