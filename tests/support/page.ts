import { onTestFinished } from "vitest";
import {
  type ActorOptions,
  type AnyStateMachine,
  type ContextFrom,
  type EventFromLogic,
  type SnapshotFrom,
  createActor,
} from "xstate";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { english } from "./english.ts";
import type { Page } from "../../src/machines/kit/page.ts";
import { createDrafts } from "../../src/services/drafts.ts";
import { createStorage } from "../../src/services/storage.ts";

/** A page object for charts that records what they do with it. It makes no calls: a test provides the services. */
export function fakePage() {
  /** Shown to the user: toasts as strings, everything else as pairs. */
  const notices: (string | [kind: "warning" | "alert" | "question", text: string])[] = [];
  const logged: string[] = [];
  const undos: (() => void)[] = [];
  const listeners = new Map<string, Set<(data: unknown) => void>>();
  const notifier: Page["notifier"] = {
    toast: (text, options) => {
      notices.push(english(text));
      if (options?.undo) undos.push(options.undo.onPress);
    },
    warn: (text) => void notices.push(["warning", english(text)]),
    alert: async (text) => void notices.push(["alert", english(text)]),
    confirm: async (text) => {
      notices.push(["question", english(text)]);
      return true;
    },
  };
  const unexpected = (path: string) => Promise.reject(new Error(`the test expected no call of ${path}`));
  const sessionStorage = createStorage(() => {
    throw new Error("kept in memory");
  });
  const page: Page = {
    http: Object.assign(unexpected, { raw: unexpected }),
    notifier,
    logger: { warn: (what) => void logged.push(what) },
    events: {
      subscribe(type, listener) {
        const known = listeners.get(type) ?? new Set();
        listeners.set(type, known.add(listener));
        return () => void known.delete(listener);
      },
    },
    drafts: createDrafts(sessionStorage, () => "user-1"),
    sessionStorage,
  };
  /** Sends an event of the server to its listeners. */
  const publish = (type: string, data: unknown = {}) => listeners.get(type)?.forEach((listener) => listener(data));
  /** Whether anything still listens to the server's events. */
  const hasListeners = () => [...listeners.values()].some(({ size }) => size > 0);
  return { ...page, notices, logged, undos, publish, hasListeners };
}

/**
 * A page object that records everything in one list, each entry with its kind: `alert: …`, `confirm: …`, `toast: …`, `warn: …`, `log: …`.
 */
export function recordingPage(entries: unknown[], isConfirmed = true) {
  const record = (kind: string) => (text: UiTextOrString) => void entries.push(`${kind}: ${english(text)}`);
  const page = fakePage();
  const notifier: Page["notifier"] = {
    toast: record("toast"),
    warn: record("warn"),
    alert: async (text) => record("alert")(text),
    confirm: async (text) => (record("confirm")(text), isConfirmed),
  };
  return { ...page, notifier, logger: { warn: record("log") } };
}

/** Runs everything that is ready: answers of fakes and the charts' reactions. No time passes. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
}

/** Returns to the page, as when the network is back, and runs everything that is ready. */
export function returnToPage(): Promise<void> {
  window.dispatchEvent(new Event("online"));
  return settle();
}

/** Starts a chart for a journey: a list of events and the state they lead to. */
export function startJourney<Machine extends AnyStateMachine>(logic: Machine, options: ActorOptions<Machine> = {}) {
  const chart = createActor(logic as AnyStateMachine, options as never).start();
  // A chart that a test leaves running would hear the events of the next test.
  onTestFinished(() => void chart.stop());
  return {
    chart,
    snapshot: () => chart.getSnapshot() as SnapshotFrom<Machine>,
    context: () => chart.getSnapshot().context as ContextFrom<Machine>,
    /** Sends the events, then runs everything that is ready. No time passes. */
    go(...events: EventFromLogic<Machine>[]): Promise<void> {
      for (const event of events) chart.send(event);
      return settle();
    },
    /** Sends the events and leaves the screen, then runs everything that is ready. */
    leave(...events: EventFromLogic<Machine>[]): Promise<void> {
      for (const event of events) chart.send(event);
      chart.stop();
      return settle();
    },
  };
}

/** Starts a journey and runs everything that is ready. */
export async function openJourney<Machine extends AnyStateMachine>(
  logic: Machine,
  options: ActorOptions<Machine> = {},
) {
  const journey = startJourney(logic, options);
  await settle();
  return journey;
}
