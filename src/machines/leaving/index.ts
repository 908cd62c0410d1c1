import { type ActorOptions, createActor } from "xstate";
import { type Notifier, confirming } from "../kit/speaking.ts";
import { type Departure, type LeavingRef, leavingMachine } from "./leaving.machine.ts";

export { type Departure, type LeavingRef, leavingMachine } from "./leaving.machine.ts";

export type LeavingDeps = {
  notifier: Pick<Notifier, "confirm">;
  /** Goes there, asking nobody. */
  depart: (departure: Departure) => void;
};

/** Starts the page's one guard of unsaved changes. */
export const startLeaving = (
  { notifier, depart }: LeavingDeps,
  options?: ActorOptions<typeof leavingMachine>,
): LeavingRef =>
  createActor(
    leavingMachine.provide({
      actors: { askConfirmation: confirming(notifier), askLogOut: confirming(notifier) },
      actions: { depart: (_, { departure }) => departure && depart(departure) },
    }),
    options,
  ).start();

/** Whether something on the screen would be lost by leaving it. */
export const isGuarding = (leaving: LeavingRef): boolean => !leaving.getSnapshot().matches("free");
