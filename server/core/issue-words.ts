import type * as v from "valibot";

const DEFAULT_MESSAGE = /^Invalid \w+: /;
const KINDS: Record<string, string> = {
  string: "Must be a text.",
  number: "Must be a number.",
  integer: "Must be a whole number.",
  boolean: "Must be true or false.",
  array: "Must be a list.",
  null: "Must be null.",
};

/** What is wrong with a field, in words for a person: the schema's own where it has some. */
export function wordsOf(issue: v.BaseIssue<unknown>): string {
  const { type, message, expected, received, input } = issue;
  if (!DEFAULT_MESSAGE.test(message)) return message;
  if (type === "strict_object" && expected === "never") return "This call has no such field.";
  if (type.endsWith("object")) return received === "undefined" ? "Is missing." : "Must be an object.";
  const limit = String(issue.requirement);
  if (type === "min_value") return `Must be at least ${limit}.`;
  if (type === "max_value") return `Must be at most ${limit}.`;
  if (type === "max_length")
    return `May have ${limit} ${typeof input === "string" ? "characters" : "entries"} at most.`;
  return (
    KINDS[type] ?? `Must be ${(expected ?? "something else").replace(/^\((.*)\)$/, "$1").replaceAll(" | ", " or ")}.`
  );
}
