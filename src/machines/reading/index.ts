import { useActorRef, useSelector } from "@xstate/react";
import { useState } from "react";
import { fromPromise } from "xstate";
import type { Logger } from "../kit/reporting.ts";
import { type ReadingSnapshot, readingMachine } from "./reading.machine.ts";

export { readingMachine } from "./reading.machine.ts";

export type ReadingDeps<Value> = {
  read: (signal: AbortSignal) => Promise<Value>;
  /** What is read, as it stands in the middle of a sentence. */
  what: string;
  logger: Logger;
};

/** The chart of one reading over the call that reads. */
export const createReading = <Value>({ read, what, logger }: ReadingDeps<Value>) =>
  readingMachine.provide({
    actors: { read: fromPromise<unknown, void>(({ signal }) => read(signal)) },
    actions: {
      reportFailure: ({ event }) => logger.warn(`${what} could not be read`, "error" in event ? event.error : event),
    },
  });

export type Readout<Value> = {
  what: string;
  /** `unread`: it never was; `outdated`: the value is from before. */
  status: "loading" | "shown" | "unread" | "outdated";
  /** Undefined until it was read. */
  value: Value | undefined;
  retry: () => void;
  refresh: () => void;
};

const selectStatus = (reading: ReadingSnapshot): Readout<unknown>["status"] => {
  if (reading.hasTag("loading")) return "loading";
  if (reading.hasTag("unread")) return "unread";
  return reading.hasTag("outdated") ? "outdated" : "shown";
};
const selectValue = (reading: ReadingSnapshot) => reading.context.value;

/** Reads as soon as the view is there and for as long as it stays; `deps` are taken once. */
export function useReading<Value>(deps: ReadingDeps<Value>): Readout<Value> {
  const [logic] = useState(() => createReading(deps));
  const reading = useActorRef(logic, { input: { what: deps.what } });
  const [verbs] = useState(() => ({
    retry: () => reading.send({ type: "reading.retry" }),
    refresh: () => reading.send({ type: "reading.refresh" }),
  }));
  const status = useSelector(reading, selectStatus);
  const value = useSelector(reading, selectValue) as Value | undefined;
  return { what: deps.what, status, value, ...verbs };
}
