import { useActorRef, useSelector } from "@xstate/react";
import { useEffect, useState } from "react";
import { type SnapshotFrom, assign, setup } from "xstate";
import type { Logger } from "../../services/logger.ts";
import { watchReturns } from "../../services/page-returns.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { createReporter } from "../kit/page.ts";
import { loadRegion } from "../kit/refreshing.ts";

export type ReadingParts<Value> = {
  read: (signal: AbortSignal) => Promise<Value>;
  /** The name of the value, for the log. */
  what: string;
  logger: Logger;
};

/**
 * Loads one value that is shown on its own, such as a figure. A failure is shown in its place and delays nothing else.
 */
export const createReading = <Value>({ read, what, logger }: ReadingParts<Value>) =>
  setup({
    types: { context: {} as { value: unknown }, events: {} as ReadingEvent, tags: {} as ReadingTag },
    actors: { read: fetching<unknown>(read) },
    actions: {
      storeValue: assign((_, value: unknown) => ({ value })),
      reportFailure: ({ event }) => createReporter(logger)({ event }, { what: `${what} could not be read` }),
    },
  }).createMachine({
    id: "reading",
    context: { value: undefined },
    ...loadRegion({ src: "read", store: "storeValue" }),
  });

export type Readout<Value> = {
  /** `loadFailed`: the first request failed; `outdated`: a refresh failed and the value is the previous one. */
  status: "loading" | "shown" | "loadFailed" | "outdated";
  /** Undefined until the first request succeeds. */
  value: Value | undefined;
  retry: () => void;
  refresh: () => void;
};

type ReadingSnapshot = SnapshotFrom<typeof createReading>;

const statusOf = (snapshot: ReadingSnapshot): Readout<unknown>["status"] =>
  (["loading", "loadFailed", "outdated"] as const).find((tag) => snapshot.hasTag(tag)) ?? "shown";
const valueOf = (snapshot: ReadingSnapshot) => snapshot.context.value;

/** Starts reading when the view mounts and stops when it unmounts. Later changes of `parts` are ignored. */
export function useReading<Value>(parts: ReadingParts<Value>): Readout<Value> {
  const [logic] = useState(() => createReading(parts));
  const actor = useActorRef(logic);
  const [verbs] = useState(() => ({
    retry: () => actor.send({ type: "reading.retry" }),
    refresh: () => actor.send({ type: "reading.refresh" }),
  }));
  const status = useSelector(actor, statusOf);
  const value = useSelector(actor, valueOf) as Value | undefined;
  return { status, value, ...verbs };
}

/** Like `useReading`, and refreshes when the page is visible or online again. */
export function useRefreshedReading<Value>(parts: ReadingParts<Value>): Readout<Value> {
  const reading = useReading(parts);
  const { refresh } = reading;
  useEffect(() => watchReturns(refresh), [refresh]);
  return reading;
}
