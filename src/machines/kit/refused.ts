import { failureOf } from "../../../domain/problem.ts";
import { reportFailure } from "./reporting.ts";

/** What to tell a person of a write that failed: the server's own words for a refusal, else ours. */
export const refusalWords = (error: unknown, ours: string): string => failureOf(error).message ?? ours;

/** The same, for `writing`, which tells when nobody waits any more. */
export const refusalOr =
  (ours: string) =>
  (error: unknown): string =>
    refusalWords(error, ours);

type Refusal = { error: unknown; words: string };

/** What keeps them under `problem`: `storeProblem: assign(problemOf)`. */
export const problemOf = (_: unknown, { error, words }: Refusal): { problem: string } => ({
  problem: refusalWords(error, words),
});

/** The same in a list, with the thing that it was `about`: `storeProblem: assign(problemAbout(idOfActive))`. */
export const problemAbout =
  <Context>(idOf: (context: Context) => string | null) =>
  ({ context }: { context: Context }, refusal: Refusal): { problem: string; about: string | null } => ({
    ...problemOf(null, refusal),
    about: idOf(context),
  });

/** The chart of a list in which one thing at a time is changed. */
type ListSnapshot = { context: { problem: string | null; about: string | null } };

/** What was refused of one thing of a list, to be told beside it: a long list's head is out of sight. */
export const selectProblemOf =
  (id: string) =>
  ({ context: { problem, about } }: ListSnapshot): string | null =>
    about === id ? problem : null;

/** What was refused and is about none of the things listed. */
export const selectProblemOver = ({ context: { problem, about } }: ListSnapshot): string | null =>
  about === null ? problem : null;

/** The same as `problemAbout`, with what the API says of single fields under `refused`. */
export const refusedAbout =
  <Context>(idOf: (context: Context) => string | null) =>
  (args: { context: Context }, refusal: Refusal) => ({
    ...problemAbout(idOf)(args, refusal),
    refused: refusedFields(refusal.error),
  });

/**
 * The actions of a write that failed: its words are kept, to be told beside the control, and `what` did not happen is
 * reported. Needs `storeProblem` and `reportFailure` in the chart's setup.
 */
export const refused = <const What extends string>(words: string, what: What) =>
  [
    {
      type: "storeProblem",
      params: ({ event }: { event: { error: unknown } }) => ({ error: event.error, words }),
    },
    reportFailure(what),
  ] as const;

/** The words of a refusal for each field that it names, by the field's first name: `events` for `events.2`. */
export function refusedFields(error: unknown): Readonly<Record<string, string>> {
  const { body } = failureOf(error);
  const fields = typeof body === "object" && body !== null && "fields" in body ? body.fields : null;
  if (typeof fields !== "object" || fields === null) return {};
  const told: Record<string, string> = {};
  for (const [path, words] of Object.entries(fields)) {
    const name = path.split(/[.[]/)[0] ?? path;
    if (typeof words === "string") told[name] ??= words;
  }
  return told;
}
