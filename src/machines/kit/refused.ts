import { failureOf } from "../../../domain/problem.ts";
import { reportFailure } from "./reporting.ts";

/** What to tell a person of a write that failed: the server's own words for a refusal, else ours. */
export const refusalWords = (error: unknown, ours: string): string => failureOf(error).message ?? ours;

/** The same, for `writing`, which tells when nobody waits any more. */
export const refusalOr =
  (ours: string) =>
  (error: unknown): string =>
    refusalWords(error, ours);

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
