import type { Notifier } from "../../src/machines/kit/speaking.ts";

/** The parts of the page that every chart is given, noting what it does with them. */
export function fakePage() {
  /** What was said: toasts as they are, all else as a pair. */
  const said: (string | [kind: "warning" | "alert" | "question", text: string])[] = [];
  const logged: string[] = [];
  /** What becomes of questions. */
  const answers = { confirm: true };
  const undos: (() => void)[] = [];
  const notifier: Notifier = {
    toast: (text, options) => {
      said.push(text);
      if (options?.undo) undos.push(options.undo.onPress);
    },
    warn: (text) => void said.push(["warning", text]),
    alert: async (text) => void said.push(["alert", text]),
    confirm: async (text) => {
      said.push(["question", text]);
      return answers.confirm;
    },
  };
  return { notifier, logger: { warn: (what: string) => void logged.push(what) }, said, logged, answers, undos };
}

/** Lets everything that is ready happen: answers of fakes, and what charts do with them. No time passes. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}
