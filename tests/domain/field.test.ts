import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { readMessage } from "../../domain/field-problems.ts";
import { FieldCreate, readFieldValue, type FieldType } from "../../domain/field.ts";
import { english } from "../support/english.ts";

const options = ["small", "large"];

describe("a field's value", () => {
  it.each<[FieldType, unknown, unknown]>([
    ["number", 12.5, 12.5],
    ["number", 0, 0],
    ["number", -1e12, -1e12],
    ["text", "  a note ", "a note"],
    ["text", "   ", null],
    ["date", "2028-02-29", "2028-02-29"],
    ["choice", "large", "large"],
    ["link", "https://example.com/a?b=c", "https://example.com/a?b=c"],
    ["number", null, null],
  ])("%s takes %j", (type, value, stored) =>
    expect(readFieldValue({ type, options }, value)).toEqual({ value: stored }),
  );

  it.each<[FieldType, unknown]>([
    ["number", "12"],
    ["number", 1e12 + 1],
    ["number", Number.POSITIVE_INFINITY],
    ["text", 3],
    ["text", "a".repeat(1_001)],
    ["date", "2027-02-29"],
    ["date", "5.3.2026"],
    ["choice", "medium"],
    ["link", "javascript:alert(1)"],
    ["link", "example.com"],
    ["choice", {}],
  ])("%s refuses %j with a message", (type, value) => {
    const read = readFieldValue({ type, options }, value);
    expect(english(readMessage("problem" in read ? read.problem : "").text)).toMatch(/^(Must|May) /);
  });
});

describe("a new field", () => {
  it.each([
    { name: " ", type: "text" },
    { name: "Size", type: "choice" },
    { name: "Size", type: "choice", options: [] },
    { name: "Size", type: "choice", options: ["a", "a "] },
    { name: "Note", type: "text", options },
    { name: "Note", type: "text", is_value: true },
    { name: "Note", type: "map" },
    { name: "Note", type: "text", colour: "red" },
  ])("is refused: %j", (field) => expect(v.is(FieldCreate, field)).toBe(false));
});
