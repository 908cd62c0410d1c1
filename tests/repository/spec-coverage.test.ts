import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hasTitle, notShown, referencesOf } from "../../scripts/spec-coverage.mjs";

const root = path.join(import.meta.dirname, "../..");
const references = referencesOf(readFileSync(path.join(root, "docs/spec-coverage.md"), "utf8"));

describe("each requirement of the product", () => {
  it("has a valid row, and none occurs twice", () => {
    expect(references.filter(({ title }) => title === "")).toEqual([]);
    const requirements = references.map(({ requirement }) => requirement);
    expect(requirements).toEqual([...new Set(requirements)]);
    console.log(`${requirements.length} requirements of the product, each with its test`);
  });

  it.each(references)("is shown by an existing test: $requirement", ({ file, title }) => {
    const full = path.join(root, file);
    expect(existsSync(full), file).toEqual(true);
    expect(hasTitle(readFileSync(full, "utf8"), title), `${file}: ${title}`).toEqual(true);
  });

  it("is not shown by a title that does not exist", () => {
    const source = 'it("is read", () => {}); it.each([1])("takes %s", () => {});';
    expect(["is read", "takes %s", "is", "reads"].map((title) => hasTitle(source, title))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("is shown only by tests that ran and passed, with each case of a table", () => {
    const row = (requirement: string, title: string) => ({ requirement, file: "tests/a.test.ts", title });
    const ran = (title: string, isPassed = true) => ({ file: "tests/a.test.ts", title, isPassed });
    const rows = [
      row("read", "is read"),
      row("table", "takes %s from $name"),
      row("skipped", "was skipped"),
      row("broken", "is written"),
      row("half", "adds %i"),
      row("nested", 'walks ${name}: ${steps.map(({ event }) => `{${titleOf(event)}}`).join(" > ")} to the end'),
      row("other", "walks ${steps.map(({ event }) => titleOf(event))} to the beginning"),
      row("walked", "every transition, walked on the screen"),
      row("chart", "every transition, with its invariants"),
    ];
    const tests = [
      ran("is read"),
      ran("takes 1 from Ada"),
      ran("is written", false),
      ran("adds 1"),
      ran("adds 2", false),
      ran('walks Ada: {a} > done.actor.read {"output":[]} to the end'),
      ran("shows each state and offers what its chart accepts"),
    ];
    expect(notShown(rows, tests)).toEqual([
      "skipped: tests/a.test.ts 'was skipped' did not run",
      "broken: tests/a.test.ts 'is written' did not pass",
      "half: tests/a.test.ts 'adds %i' did not pass",
      "other: tests/a.test.ts 'walks ${steps.map(({ event }) => titleOf(event))} to the beginning' did not run",
      "chart: tests/a.test.ts 'every transition, with its invariants' did not run",
    ]);
  });
});
