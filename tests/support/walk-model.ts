import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from "xstate";
import { causeOf } from "./causes.ts";
import { type Model, type PendingServices, edgePaths } from "./walk-machine.ts";

export type WalkedModel = Model & {
  /** Returns the machine with fakes that settle when the path says so. */
  provide: (services: PendingServices) => AnyStateMachine;
  /** Limits which events are sent from a state, so that the paths of parallel regions do not multiply. */
  allow?: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean;
  delays?: Record<string, number>;
  /** Actors whose failure may be an answer for the user, so it is not reported. */
  unreported?: readonly string[];
  /** The inputs to start from, in place of `input`, where the chart starts differently for each. */
  inputs?: readonly unknown[];
  /** Values that must never be in context, such as a password. */
  secrets?: RegExp;
};

/** The machine with its actors pending until a path settles them; child charts run unchanged. */
export const overPending =
  (machine: AnyStateMachine) =>
  (services: PendingServices): AnyStateMachine => {
    const names = Object.entries(machine.implementations.actors).filter(([, logic]) => !("root" in (logic as object)));
    return machine.provide({ actors: Object.fromEntries(names.map(([name]) => [name, services.service()])) } as never);
  };

/** Returns a short title of a path, with the numbers of its payload variants. */
export function titleOf(events: readonly AnyEventObject[], variants: readonly AnyEventObject[] = []): string {
  const nameOf = (event: AnyEventObject): string => {
    const known = variants.filter((variant) => variant.type === event.type);
    return causeOf(event) + (known.length > 1 ? ` #${known.indexOf(event) + 1}` : "");
  };
  return events.map(nameOf).join(" > ") || "(initial)";
}

/** A path and the input that it starts from. */
export type StartedPath = { input: unknown; events: readonly AnyEventObject[] };

/** Returns the generated paths of a model, for each of its inputs. */
export const pathsFrom = (machine: AnyStateMachine, model: WalkedModel): StartedPath[] =>
  (model.inputs ?? [model.input]).flatMap((input) =>
    edgePaths(machine, { ...model, input }, model.allow).map((events) => ({ input, events })),
  );
