import type { AnyEventObject } from "xstate";

export const offline = new Error("offline");

/** The answers of an actor, one event each; one without a value when none is given. */
export const done = (actor: string, ...outputs: unknown[]): AnyEventObject[] =>
  (outputs.length === 0 ? [undefined] : outputs).map((output) => ({ type: `xstate.done.actor.${actor}`, output }));

/** The failures of an actor, one event each; a failed connection when none is given. */
export const failed = (actor: string, ...errors: unknown[]): AnyEventObject[] =>
  (errors.length === 0 ? [offline] : errors).map((error) => ({ type: `xstate.error.actor.${actor}`, error }));

/** An error as the API's client throws it. */
export const refusedWith = (status: number, body: object | null = null): Error =>
  Object.assign(new Error(`status ${status}`), { status, body });

const refusal = refusedWith(409, { code: "conflict", message: "Not now." });

/** The two ways in which a write fails: without a response, and with the server's refusal. */
export const failedWrites = (...actors: string[]): AnyEventObject[] =>
  actors.flatMap((actor) => failed(actor, offline, refusal));

/** What a chart says of a write without a response: that none came, and what may have happened. */
export const unanswered = (text: string): string => `No response from the server. ${text}`;

/** What a chart says after one of `failedWrites`; `unknown` is what may have happened. */
export const failureText = ({ error }: { error?: unknown }, unknown: string): string =>
  error === refusal ? "Not now." : unanswered(unknown);
