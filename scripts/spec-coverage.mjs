// Compares docs/spec-coverage.md with the tests that ran: a requirement counts as shown only by a passed test.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";

/** How a row names the walk of a screen or of a chart: the helper that registers the test, and its title. */
const WALKS = {
  "every transition, walked on the screen": {
    helper: "walkEveryView",
    title: "shows each state and offers what its chart accepts",
  },
  "every transition, with its invariants": {
    helper: "walkEveryPath",
    title: "keeps its invariants on every path and takes every transition",
  },
};

/** Returns the rows of the page: the requirement, and the file and title of its test. The title is empty if a row cannot be parsed. */
export function referencesOf(page) {
  return page
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| Requirement "))
    .map((row) => {
      const [, requirement = "", file = "", shown = ""] =
        /^\| (.+) \| \[[^\]]+\]\(\.\.\/([^)]+)\) (.+) \|$/.exec(row) ?? [];
      return { requirement, file, title: shown.replace(/^`(.*)`$/, "$1") };
    });
}

/** True if the source has a test of this title, as an argument of `it`, `test` or a table of cases. */
export function hasTitle(source, title) {
  if (WALKS[title]) return source.includes(`${WALKS[title].helper}(`);
  return new RegExp(`[(]\\s*(["'\`])${escaped(title)}\\1,`).test(source);
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A pattern for the run-time form of a title with placeholders (`%s`, `$name`, `${name}`). */
const ranAs = (title) => new RegExp(`^${partsBetween(title).map(escaped).join("[\\s\\S]*")}$`);

/** Returns the fixed parts of a title in order; a placeholder may contain braces. */
function partsBetween(title) {
  const parts = [""];
  for (let at = 0; at < title.length;) {
    const place = title.startsWith("${", at)
      ? title.slice(at, closingBrace(title, at + 1) + 1)
      : (/^(?:%[sdifjop]|\$[\w.]+)/.exec(title.slice(at))?.[0] ?? "");
    if (place === "") parts[parts.length - 1] += title[at];
    else parts.push("");
    at += Math.max(place.length, 1);
  }
  return parts;
}

function closingBrace(text, opening) {
  let depth = 0;
  for (let at = opening; at < text.length; at++) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return text.length - 1;
}

/** Returns the requirements that no passed test shows, with the result of the named test. */
export function notShown(references, ran) {
  return references.flatMap(({ requirement, file, title }) => {
    const pattern = ranAs(WALKS[title]?.title ?? title);
    const tests = ran.filter((test) => test.file === file && pattern.test(test.title));
    if (tests.length > 0 && tests.every(({ isPassed }) => isPassed)) return [];
    return [`${requirement}: ${file} '${title}' ${tests.length === 0 ? "did not run" : "did not pass"}`];
  });
}

/** Returns every test in this run's reports: vitest's and Playwright's JSON. */
export function readReports(folder, root) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const report = JSON.parse(readFileSync(path.join(folder, name), "utf8"));
      return report.suites ? fromPlaywright(report, root) : fromVitest(report, root);
    });
}

const fromVitest = (report, root) =>
  report.testResults.flatMap((suite) =>
    suite.assertionResults
      // A run on one database skips tests that the other one runs.
      .filter((test) => !["skipped", "pending", "todo"].includes(test.status))
      .map((test) => ({
        file: path.relative(root, suite.name),
        title: test.title,
        isPassed: test.status === "passed",
      })),
  );

function fromPlaywright(report, root) {
  const inSuite = (suite) => [
    ...(suite.specs ?? []).map((spec) => ({
      file: path.relative(root, path.resolve(report.config.rootDir, spec.file)),
      title: spec.title,
      isPassed: spec.ok && spec.tests.some((test) => ["expected", "flaky"].includes(test.status)),
    })),
    ...(suite.suites ?? []).flatMap(inSuite),
  ];
  return report.suites.flatMap(inSuite);
}
