import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");

const TEXTS = [
  'const saved = "Settings saved.";',
  'const choices = { hour: "For an hour" };',
  'const undo = { label: "Undo" };',
  "const full = (name: string) => `Is ${name} a lead?`;",
  "const gone = (name: string) => `${name} was deleted`;",
  'const known = isOpen ? "It is open." : other;',
  'throw new UnreadableFile("This file is not in UTF-8.");',
];

const RIGHT = [
  'const keys = "Ctrl + Enter";',
  'const leads = msg`${plural({ count }, { one: "One lead came in.", other: "# leads came in." })}`;',
  "const saved = msg`Settings saved.`;",
  'const due = msg({ message: "Due today", comment: "Follows the name of a lead." });',
  'const code = "initial_contact";',
  'const kind = { type: "Undo" };',
  'const isKnown = name === "Initial Contact";',
  "const authorization = `Bearer ${token}`;",
  "const place = `${left}px ${top}px`;",
  'throw new Error("The chart needs its Provider.");',
  'class TooLarge extends Error { constructor() { super("The file is too large."); } }',
  "const path = `M${x} ${y}h1v1h-1z`;",
  'const stage = v.description("The stage to move to.");',
  'createReporter(logger)({ what: "The settings could not be read." });',
  'logger.warn("The settings were not saved.", error);',
  'const names: Record<"Last message", number> = {};',
  'const words = { "Last message": 1 };',
];

const JOINED = [
  "const joined = t`Saved.` + rest;",
  "const joined = `${translate(problem)} ${rest}`;",
  "const joined = `${isDone ? t`Done.` : other} ${rest}`;",
];

const VIEWS = [
  "const view = <p>Settings saved.</p>;",
  "const view = <Trans>Saved. {isNew && <b>A new lead.</b>}</Trans>;",
  'const View = ({ confirmLabel = "OK" }: { confirmLabel?: string }) => <button>{confirmLabel}</button>;',
];

/** Returns the rules that refuse each line. */
function lint(lines: readonly string[]): Map<string, string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "texts-lint-"));
  const config = {
    jsPlugins: [path.join(root, "scripts/lint/texts.mjs")],
    plugins: [],
    categories: { correctness: "off" },
    rules: { "texts/translated": "error", "texts/whole": "error", "texts/outside-components": "error" },
  };
  writeFileSync(path.join(folder, ".oxlintrc.json"), JSON.stringify(config));
  const nameOf = (place: number) => `${place}.${VIEWS.includes(lines[place] ?? "") ? "tsx" : "ts"}`;
  lines.forEach((line, place) => writeFileSync(path.join(folder, nameOf(place)), `${line}\n`));
  const oxlint = path.join(root, "node_modules/oxlint/bin/oxlint");
  const { stdout } = spawnSync(process.execPath, [oxlint, "-f", "json", "."], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  return new Map(
    lines.map((line, place) => [
      line,
      diagnostics.filter(({ filename }) => filename === nameOf(place)).map(({ code }) => code),
    ]),
  );
}

describe("the lint rules for texts", () => {
  const refusals = lint([...TEXTS, ...RIGHT, ...JOINED, ...VIEWS]);

  it.each(TEXTS)("refuse %s outside a message", (line) => {
    expect(refusals.get(line)).toEqual(["texts(outside-components)"]);
  });

  it.each(RIGHT)("accept %s", (line) => {
    expect(refusals.get(line)).toEqual([]);
  });

  it.each(JOINED)("refuse the joined %s", (line) => {
    expect(refusals.get(line)).toContain("texts(whole)");
  });

  it.each(VIEWS)("refuse %s in a component", (line) => {
    expect(refusals.get(line)).toEqual(["texts(translated)"]);
  });
});
