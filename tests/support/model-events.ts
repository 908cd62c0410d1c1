import type { AnyEventObject } from "xstate";

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
