// npm test: lint, types, unused code, unit, model, server and browser tests. Server tests run on real Postgres if the machine has one,
// otherwise on the embedded database; those that differ between the two (*.both.test.ts) run on both.
// Every step runs even if an earlier one failed; the last line counts all tests.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureWebBuild } from "./build.mjs";
import { hasPostgres } from "./postgres.mjs";
import { notShown, readReports, referencesOf } from "./spec-coverage.mjs";
import { ensureDependencies, requireNode, root, run, runtimeNode, print } from "./setup.mjs";

requireNode();
ensureDependencies();
const node = runtimeNode();
const reports = path.join(root, "test-results", "reports");
rmSync(path.join(root, "test-results"), { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const total = { passed: 0, failed: 0 };
const failures = [];
const flaky = [];
const durations = [];

/** Runs one step and records its duration. */
async function timed(name, runPart) {
  const start = performance.now();
  await runPart();
  durations.push(`${name}: ${Math.round((performance.now() - start) / 1000)} s`);
}

/** A step that ran no tests has failed. `details` describes failures and is printed again at the end. */
function count(name, passed, failedTests, details = []) {
  const failed = passed + failedTests === 0 ? 1 : failedTests;
  total.passed += passed;
  total.failed += failed;
  print(`${name}: ${passed} passed, ${failed} failed`);
  if (failed > 0) failures.push(name, ...details.map((line) => `  ${line}`));
}

const firstLines = (text) =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 4)
    .join(" | ")
    .slice(0, 600);

const check = (name, command, args) =>
  timed(name, async () => {
    const code = await run(command, args);
    count(name, code === 0 ? 1 : 0, code === 0 ? 0 : 1);
  });

const vitest = (name, args, env = {}) => timed(name, () => runVitest(name, args, env));

async function runVitest(name, args, env) {
  const report = path.join(reports, `${name.replaceAll(" ", "-")}.json`);
  const code = await run(
    node,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      ...args,
      "--reporter=dot",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    { env },
  );
  const summary = existsSync(report)
    ? JSON.parse(readFileSync(report, "utf8"))
    : { numPassedTests: 0, numFailedTests: 0 };
  const failed = summary.numFailedTests || (code === 0 ? 0 : 1);
  const details = (summary.testResults ?? []).flatMap((file) => [
    ...(file.status === "failed" && file.message ? [`${file.name}: ${firstLines(file.message)}`] : []),
    ...file.assertionResults
      .filter(({ status }) => status === "failed")
      .map((test) => `${file.name} > ${test.fullName}: ${firstLines(test.failureMessages.join(" "))}`),
  ]);
  count(name, summary.numPassedTests, failed, details);
}

/** A test that passes on its retry does not fail the run; it is listed as flaky. */
async function browser() {
  const report = path.join(reports, "browser.json");
  const code = await run(
    node,
    ["node_modules/@playwright/test/cli.js", "test", "--retries=1", "--reporter=line,json"],
    { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
  );
  const { stats, suites, errors } = existsSync(report)
    ? JSON.parse(readFileSync(report, "utf8"))
    : { stats: { expected: 0, unexpected: 0, flaky: 0 }, suites: [], errors: [] };
  const specs = suites.flatMap((suite) => specsIn(suite));
  const failed = specs.filter(({ ok }) => !ok);
  flaky.push(...specs.filter(isFlaky).map(describeErrors));
  const details = [...errors.map(({ message }) => firstLines(message)), ...failed.map(describeErrors)];
  count("browser tests", stats.expected + stats.flaky, stats.unexpected || (code === 0 ? 0 : 1), details);
}

const specsIn = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap((suite) => specsIn(suite))];

const isFlaky = ({ tests }) => tests.some(({ status }) => status === "flaky");

/** Returns a Playwright test's name with the first lines of its errors. */
function describeErrors({ file, title, tests }) {
  const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
  return `${file} > ${title}: ${firstLines(stripVTControlCharacters(errors.map(({ message }) => message).join(" ")))}`;
}

await check("lint", "npm", ["run", "--silent", "lint"]);
await check("types", "npm", ["run", "--silent", "typecheck"]);
await check("unused code", "npm", ["run", "--silent", "unused"]);
await check("texts", "npm", ["run", "--silent", "texts:check"]);
await vitest("unit tests", ["--project", "unit"]);
await vitest("model tests", ["--project", "model", "--project", "views"]);
const onBoth = hasPostgres() ? ["--project", "embedded"] : [];
if (onBoth.length === 0) print("no Postgres on this machine: the server tests run on the embedded database");
await vitest("server tests", ["--project", "server", ...onBoth]);
await timed("build", ensureWebBuild);
print("unpacking the browser that came with npm");
if ((await run(node, ["scripts/chromium.mjs"])) === 0) await timed("browser tests", browser);
else count("browser", 0, 1);

const requirements = referencesOf(readFileSync(path.join(root, "docs/spec-coverage.md"), "utf8"));
const unshown = notShown(requirements, readReports(reports, root));
for (const line of unshown) print(`not shown: ${line}`);
count("requirements shown by a test that passed", requirements.length - unshown.length, unshown.length);

for (const line of durations) print(`took: ${line}`);
for (const line of failures) print(`failed: ${line}`);
if (flaky.length > 0) print(`flaky: ${flaky.length} browser tests passed only when retried`);
for (const line of flaky) print(`flaky: ${line}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 ? 1 : 0);
