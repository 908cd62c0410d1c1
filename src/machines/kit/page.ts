import type { Draft, Drafts } from "../../services/drafts.ts";
import type { ServerEvents } from "../../services/events.ts";
import type { Http } from "../../services/http.ts";
import type { Logger } from "../../services/logger.ts";
import type { SafeStorage } from "../../services/storage.ts";
import type { EventObject } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { msg } from "@lingui/core/runtime-macro";

/** The unsent text of one field. It survives a reload. */
export type TextDraft = Draft<{ text: string }>;

/** The services that every chart gets. Requests use the account of the user who opened the screen. */
export type Page = {
  http: Http;
  notifier: Notifier;
  logger: Logger;
  events: ServerEvents;
  drafts: Drafts;
  sessionStorage: SafeStorage;
};

/** The Undo of a toast. `onPress` runs at most once, and never after the toast closes. */
export type Undo = { label: UiTextOrString; onPress: () => void };

/** Shows messages over any screen. */
export type Notifier = {
  /**
   * Shows a success for 3 seconds. With an undo it stays for `durationMs`, 10 seconds by default. With `afterwards`, the text
   * changes to that after 3 seconds.
   */
  toast: (message: UiTextOrString, options?: { undo?: Undo; durationMs?: number; afterwards?: UiTextOrString }) => void;
  /** Shows a failure for 10 seconds, when the screen that waited for the result is gone. */
  warn: (message: UiTextOrString) => void;
  /** Resolves when the user closes it or the signal aborts it. */
  alert: (message: UiTextOrString, options?: { signal?: AbortSignal }) => Promise<void>;
  /** Resolves to true for OK; to false for Cancel and when the signal aborts it. */
  confirm: (message: UiTextOrString, options?: { signal?: AbortSignal }) => Promise<boolean>;
};

/** Creates the action that logs a failed call with the event's error. */
export const createReporter =
  (logger: Logger) =>
  ({ event }: { event: EventObject }, { what }: { what: string }): void =>
    logger.warn(what, "error" in event ? event.error : event);

/** Reports a failed call; `what` says what did not happen. Needs `reportFailure` in the chart's setup. */
export const reportFailure = <const What extends string>(what: What) =>
  ({ type: "reportFailure", params: { what } }) as const;

export const messageOf = (error: unknown): UiTextOrString =>
  error instanceof Error && error.message !== "" ? error.message : msg`Something went wrong. Try again.`;
