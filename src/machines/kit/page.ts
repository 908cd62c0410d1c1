import type { Draft, Drafts } from "../../services/drafts.ts";
import type { ServerEvents } from "../../services/events.ts";
import type { Http } from "../../services/http.ts";
import type { Logger } from "../../services/logger.ts";
import type { SafeStorage } from "../../services/storage.ts";
import type { EventObject } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { msg } from "@lingui/core/runtime-macro";

/** What is typed into one field and not sent: it is there again after a reload. */
export type TextDraft = Draft<{ text: string }>;

/** What every chart gets of the page that it runs on. Calls are made in the name of the user who opened the screen. */
export type Page = {
  http: Http;
  notifier: Notifier;
  logger: Logger;
  events: ServerEvents;
  drafts: Drafts;
  sessionStorage: SafeStorage;
};

/** A step back that a toast offers; `onPress` runs at most once, and never after the toast is gone. */
export type Undo = { label: UiTextOrString; onPress: () => void };

/** How charts speak to the person, over any screen. */
export type Notifier = {
  /**
   * Good news for 3 seconds; with an undo, for as long as the undo is offered: 10 seconds unless `durationMs` says how long the
   * server takes it. With `afterwards`, the toast says that once its 3 seconds are over.
   */
  toast: (message: UiTextOrString, options?: { undo?: Undo; durationMs?: number; afterwards?: UiTextOrString }) => void;
  /** Bad news that nobody waits for any more; stays for 10 seconds and asks for no answer. */
  warn: (message: UiTextOrString) => void;
  /** Settles when it is answered, or withdrawn by the signal. */
  alert: (message: UiTextOrString, options?: { signal?: AbortSignal }) => Promise<void>;
  /** True for OK; false for Cancel, and when it is withdrawn by the signal. */
  confirm: (message: UiTextOrString, options?: { signal?: AbortSignal }) => Promise<boolean>;
};

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
