import { msg } from "@lingui/core/runtime-macro";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { EventObject } from "xstate";

export type Logger = { warn: (what: string, error: unknown) => void };

/** The one reporter: logs what failed, with the error that the event brought. */
export const createReporter =
  (logger: Logger) =>
  ({ event }: { event: EventObject }, { what }: { what: string }): void =>
    logger.warn(what, "error" in event ? event.error : event);

/** The action that reports a failed call; `what` says what did not happen. Needs `reportFailure` in the chart's setup. */
export const reportFailure = <const What extends string>(what: What) =>
  ({ type: "reportFailure", params: { what } }) as const;

/** What to tell a person of a failure: the error's own words. */
export const messageOf = (error: unknown): UiTextOrString =>
  error instanceof Error && error.message !== "" ? error.message : msg`Something went wrong. Try again.`;
