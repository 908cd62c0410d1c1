import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from "xstate";
import { causeOf } from "./causes.ts";
import { type Model, type PendingServices, edgePaths } from "./walk-machine.ts";

export type WalkedModel = Model & {
  /** The machine over fakes that settle when the path says so. */
  provide: (services: PendingServices) => AnyStateMachine;
  /** Keeps independent regions from multiplying: which events are fired from a state. */
  allow?: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean;
  delays?: Record<string, number>;
  /** Actors whose failure may be an answer for the user instead of a fault to report. */
  unreported?: readonly string[];
  /** Where the chart starts differently for different inputs: each of them, in place of `input`. */
  inputs?: readonly unknown[];
  /** Values that must never be in context, such as a password. */
  secrets?: RegExp;
};

/** The machine with its actors waiting until a path settles them; charts within it run as they are. */
export const overPending =
  (machine: AnyStateMachine) =>
  (services: PendingServices): AnyStateMachine => {
    const names = Object.entries(machine.implementations.actors).filter(([, logic]) => !("root" in (logic as object)));
    return machine.provide({ actors: Object.fromEntries(names.map(([name]) => [name, services.service()])) } as never);
  };

/** The events of a path in short, with the numbers of their payload variants. */
export function titleOf(events: readonly AnyEventObject[], variants: readonly AnyEventObject[] = []): string {
  const nameOf = (event: AnyEventObject): string => {
    const known = variants.filter((variant) => variant.type === event.type);
    return causeOf(event) + (known.length > 1 ? ` #${known.indexOf(event) + 1}` : "");
  };
  return events.map(nameOf).join(" > ") || "(initial)";
}

/** A path, and the input that it starts from. */
export type StartedPath = { input: unknown; events: readonly AnyEventObject[] };

/** The generated paths of a model, from each of its inputs. */
export const pathsFrom = (machine: AnyStateMachine, model: WalkedModel): StartedPath[] =>
  (model.inputs ?? [model.input]).flatMap((input) =>
    edgePaths(machine, { ...model, input }, model.allow).map((events) => ({ input, events })),
  );
