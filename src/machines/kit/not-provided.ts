import { fromPromise } from "xstate";

/** Stands in a chart for an actor that the app provides; running it unprovided is a bug and rejects. */
export const notProvided = <Output, Input>(name: string) =>
  fromPromise<Output, Input>(() => Promise.reject(new Error(`${name} must be provided`)));
