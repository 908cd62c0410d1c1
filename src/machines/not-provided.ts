import { fromPromise } from "xstate";

/** Stands in a chart for an actor that the app provides; running it unprovided is a bug and rejects. */
export const notProvided = <Output, Input>(name: string) =>
  fromPromise<Output, Input>(() => Promise.reject(new Error(`${name} must be provided`)));

/** What to tell a person of a failure: the error's own words. */
export const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== "" ? error.message : "Something went wrong. Try again.";
