import * as v from "valibot";
import { type FieldProblem, readMessage } from "../../domain/field-problems.ts";
import { fieldProblem } from "../../domain/schema-message.ts";
import { inEnglish } from "./languages.ts";

const DEFAULT_MESSAGE = /^Invalid \w+: /;
const KINDS = {
  string: "text",
  number: "number",
  integer: "whole_number",
  boolean: "flag",
  array: "list",
  null: "null",
} as const;
type Found = Pick<FieldProblem, "code" | "params"> & { message: string };

/** Returns the code, the parameters and the English text of a schema's message. */
export function readProblem(written: string): Found {
  const { text, ...problem } = readMessage(written);
  return { ...problem, message: inEnglish(text) };
}

/** Returns the problem of a field: the schema's own message if it has one. */
function findProblem(issue: v.BaseIssue<unknown>): Found {
  const { type, message, expected, received, input } = issue;
  if (!DEFAULT_MESSAGE.test(message)) return readProblem(message);
  if (type === "strict_object" && expected === "never") return readProblem("unknown_field");
  if (type.endsWith("object")) return readProblem(received === "undefined" ? "missing" : "object");
  const limit = String(issue.requirement);
  if (type === "min_value") return readProblem(fieldProblem("at_least", { limit }));
  if (type === "max_value") return readProblem(fieldProblem("at_most", { limit }));
  if (type === "max_length")
    return readProblem(fieldProblem("too_long", { limit, unit: typeof input === "string" ? "characters" : "entries" }));
  const kind = (KINDS as Partial<Record<string, string>>)[type];
  if (kind !== undefined) return readProblem(kind);
  const choices = (expected ?? "something else").replace(/^\((.*)\)$/, "$1").split(" | ");
  return readProblem(fieldProblem("one_of", { choices }));
}

/** When a body may have several forms, reports what each form misses instead of 'none matched'. */
const leavesOf = (issue: v.BaseIssue<unknown>): v.BaseIssue<unknown>[] =>
  issue.path === undefined && issue.issues !== undefined ? issue.issues.flatMap(leavesOf) : [issue];

/** Returns the first problem of data that did not come from a request. */
export function firstProblemOf(issues: readonly v.BaseIssue<unknown>[]): FieldProblem {
  const [problem] = fieldProblemsOf(issues).problems as [FieldProblem];
  return problem.code === "unknown_field" ? { ...problem, code: "field_unknown" } : problem;
}

/** Returns what is wrong with each field, and their messages by field. */
export function fieldProblemsOf(issues: readonly v.BaseIssue<unknown>[]): {
  problems: FieldProblem[];
  fields: Record<string, string>;
} {
  const problems: FieldProblem[] = [];
  // Without a prototype: a field may be called `constructor`.
  const fields = Object.create(null) as Record<string, string>;
  for (const issue of issues.flatMap(leavesOf)) {
    const field = v.getDotPath(issue) ?? "body";
    if (fields[field] !== undefined) continue;
    const { message, code, params } = findProblem(issue);
    fields[field] = message;
    problems.push({ field, code, params });
  }
  return { problems, fields };
}
