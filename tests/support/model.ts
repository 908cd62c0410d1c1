import { type AnyEventObject, type AnyMachineSnapshot, type AnyStateMachine, fromPromise } from "xstate";
import type { Model, PendingServices } from "./walk-machine.ts";

export type WalkedModel<Machine extends AnyStateMachine = AnyStateMachine> = Model & {
  machine: Machine;
  /** Returns the machine with its actors pending until a path settles them; child charts run unchanged. */
  provide: (services: PendingServices) => Machine;
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

/** Returns the model of a chart, whose services wait until a path settles them. */
export const modelOf = <Machine extends AnyStateMachine>(
  machine: Machine,
  known: Omit<WalkedModel, "machine" | "provide">,
): WalkedModel<Machine> => ({
  ...known,
  machine,
  provide(services) {
    const names = Object.entries(machine.implementations.actors).filter(([, logic]) => !("root" in (logic as object)));
    const actors = Object.fromEntries(names.map(([name]) => [name, services.service()]));
    return machine.provide({ actors } as never) as Machine;
  },
});

/**
 * Limits the paths of a chart with regions: an event is sent only while every region is at rest, except the regions that `exceptionsFor`
 * returns for its type.
 */
export const whileAtRest =
  <Region extends string>(rest: Record<Region, string | object>, exceptionsFor: (type: string) => readonly Region[]) =>
  (snapshot: AnyMachineSnapshot, { type }: AnyEventObject): boolean =>
    (Object.keys(rest) as Region[]).every(
      (region) => exceptionsFor(type).includes(region) || snapshot.matches({ [region]: rest[region] }),
    );

/** Returns a chart whose named actors give these answers to their inputs. */
export const answering = <Machine extends AnyStateMachine>(
  machine: Machine,
  answers: Record<string, (input: never) => unknown>,
): Machine => {
  const actors = Object.entries(answers).map(([name, answer]) => [
    name,
    fromPromise(async ({ input }) => answer(input as never)),
  ]);
  return machine.provide({ actors: Object.fromEntries(actors) } as never) as Machine;
};

/** A service of a model's chart: a walk answers its call itself. */
export const notCalled = (): Promise<never> => Promise.reject(new Error("the walk answers this call"));

export const offline = new Error("offline");

/** Returns one success event of an actor per output; a single one without a value when none is given. */
export const done = (actor: string, ...outputs: unknown[]): AnyEventObject[] =>
  (outputs.length === 0 ? [undefined] : outputs).map((output) => ({ type: `xstate.done.actor.${actor}`, output }));

/** Returns one failure event of an actor per error; a lost connection when none is given. */
export const failed = (actor: string, ...errors: unknown[]): AnyEventObject[] =>
  (errors.length === 0 ? [offline] : errors).map((error) => ({ type: `xstate.error.actor.${actor}`, error }));

/** Returns an error as the API client throws it. */
export const refusedWith = (status: number, body: object | null = null): Error =>
  Object.assign(new Error(`status ${status}`), { status, body });

const refusal = refusedWith(409, { code: "conflict", message: "Not now." });

/** The two ways a write fails: no response, and a refusal by the server. */
export const failedWrites = (...actors: string[]): AnyEventObject[] =>
  actors.flatMap((actor) => failed(actor, offline, refusal));

/** Returns a chart's message after a write without a response; `text` says what may have happened. */
export const unanswered = (text: string): string => `No response from the server. ${text}`;

/** Returns a chart's message after one of `failedWrites`; `unknown` says what may have happened. */
export const failureText = ({ error }: { error?: unknown }, unknown: string): string =>
  error === refusal ? "Not now." : unanswered(unknown);
