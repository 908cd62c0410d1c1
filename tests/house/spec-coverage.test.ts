import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const page = readFileSync(path.join(root, "docs/spec-coverage.md"), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Requirement "));
const WALKED = "every transition, walked on the screen";

/** Reads the row's test file and the title it names. */
function referenceOf(row: string): { requirement: string; file: string; title: string } {
  const [, requirement = "", file = "", shown = ""] =
    /^\| (.+) \| \[[^\]]+\]\(\.\.\/([^)]+)\) (.+) \|$/.exec(row) ?? [];
  return { requirement, file, title: shown.replace(/^`(.*)`$/, "$1") };
}

/** Whether the source names a test so, as the first argument of `it` or `test` or the one after a table of cases. */
function hasTitle(source: string, title: string): boolean {
  if (title === WALKED) return /\bwalkEveryView\(/.test(source);
  const quoted = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`[(]\\s*(["'\`])${quoted}\\1,`).test(source);
}

describe("each requirement of the product", () => {
  it("has a row that can be read, and none stands twice", () => {
    const references = rows.map(referenceOf);
    expect(rows.filter((_, index) => references[index]?.title === "")).toEqual([]);
    const requirements = references.map(({ requirement }) => requirement);
    expect(requirements).toEqual([...new Set(requirements)]);
    console.log(`${requirements.length} requirements of the product, each with its test`);
  });

  it.each(rows.map(referenceOf))("is shown by a test that stands: $requirement", ({ file, title }) => {
    const full = path.join(root, file);
    expect(existsSync(full), file).toEqual(true);
    expect(hasTitle(readFileSync(full, "utf8"), title), `${file}: ${title}`).toEqual(true);
  });

  it("is not counted as shown by a title that stands nowhere", () => {
    const source = 'it("is read", () => {}); it.each([1])("takes %s", () => {});';
    expect(["is read", "takes %s", "is", "reads"].map((title) => hasTitle(source, title))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
