import type { UiTextOrString } from "../../domain/ui-text.ts";
import { english } from "./english.ts";
import type { Page } from "../../src/machines/kit/page.ts";
import { createDrafts } from "../../src/services/drafts.ts";
import { createStorage } from "../../src/services/storage.ts";

/** A page object for charts that records what they do with it. It makes no calls: a test provides the services. */
export function fakePage() {
  /** What was said: toasts as strings, everything else as a pair. */
  const said: (string | [kind: "warning" | "alert" | "question", text: string])[] = [];
  const logged: string[] = [];
  /** The user's answers to confirmations. */
  const answers = { confirm: true };
  const undos: (() => void)[] = [];
  const listeners = new Map<string, Set<(data: unknown) => void>>();
  const notifier: Page["notifier"] = {
    toast: (text, options) => {
      said.push(english(text));
      if (options?.undo) undos.push(options.undo.onPress);
    },
    warn: (text) => void said.push(["warning", english(text)]),
    alert: async (text) => void said.push(["alert", english(text)]),
    confirm: async (text) => {
      said.push(["question", english(text)]);
      return answers.confirm;
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
  const isHeard = () => [...listeners.values()].some(({ size }) => size > 0);
  return { ...page, said, logged, answers, undos, publish, isHeard };
}

/**
 * A page object that records everything in one list, each entry with its kind: `alert: …`, `confirm: …`, `toast: …`, `warn: …`, `log: …`.
 */
export function notingPage(noted: unknown[], isConfirmed = true) {
  const note = (kind: string) => (text: UiTextOrString) => void noted.push(`${kind}: ${english(text)}`);
  const page = fakePage();
  const notifier: Page["notifier"] = {
    toast: note("toast"),
    warn: note("warn"),
    alert: async (text) => note("alert")(text),
    confirm: async (text) => (note("confirm")(text), isConfirmed),
  };
  return { ...page, notifier, logger: { warn: note("log") } };
}

/** Runs everything that is ready: answers of fakes and the charts' reactions. No time passes. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
}
