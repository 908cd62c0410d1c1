import * as v from "valibot";
import { expect, test } from "vitest";
import { ProblemError } from "../../../server/core/problem.ts";
import { parse } from "../../../server/core/routes.ts";

const Body = v.strictObject({
  name: v.pipe(v.string(), v.maxLength(3)),
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9)),
  is_on: v.optional(v.boolean()),
  color: v.optional(v.picklist(["red", "blue"])),
  tags: v.optional(v.pipe(v.array(v.string()), v.maxLength(1))),
  zero: v.optional(v.literal(0)),
  code: v.optional(v.pipe(v.string(), v.regex(/^\d+$/, "Write digits."))),
});

const fieldsOf = (input: unknown): unknown => {
  try {
    return parse(Body, input);
  } catch (error) {
    if (error instanceof ProblemError) return error.fields;
    throw error;
  }
};

test.each([
  [{ count: 1 }, { name: "Is missing." }],
  [{ name: "Ann", count: 1, extra: 2 }, { extra: "This call has no such field." }],
  [
    { name: 5, count: "1" },
    { name: "Must be a text.", count: "Must be a number." },
  ],
  [
    { name: "Anna", count: 0 },
    { name: "May have 3 characters at most.", count: "Must be at least 1." },
  ],
  [{ name: "Ann", count: 10 }, { count: "Must be at most 9." }],
  [{ name: "Ann", count: 1.5 }, { count: "Must be a whole number." }],
  [{ name: "Ann", count: 1, is_on: "yes" }, { is_on: "Must be true or false." }],
  [{ name: "Ann", count: 1, color: "green" }, { color: 'Must be "red" or "blue".' }],
  [{ name: "Ann", count: 1, tags: ["a", "b"] }, { tags: "May have 1 entry at most." }],
  [{ name: "Ann", count: 1, tags: "a" }, { tags: "Must be a list." }],
  [{ name: "Ann", count: 1, zero: 3 }, { zero: "Must be 0." }],
  [{ name: "Ann", count: 1, code: "x" }, { code: "Write digits." }],
  ["text", { body: "Must be an object." }],
])("refuses %j with a message that says what to do", (input, fields) => {
  expect(fieldsOf(input)).toEqual(fields);
});
