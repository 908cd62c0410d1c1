import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The first failure of a run, or null when every test passed. */
export type Failure = { file: string; test: string; message: string } | null;

type Report = {
  testResults: readonly {
    name: string;
    status: string;
    message: string;
    assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[];
  }[];
};

/** Longer than passing tests take on a busy machine, so that a run that hangs ends. */
const limitOf = (files: readonly string[]): number => 5 * 60_000 + files.length * 30_000;
/** A second worker loads the same modules again, which only pays off for many files. */
const workersFor = (files: readonly string[]): number => (files.length > 6 ? 2 : 1);

let running: ChildProcess | null = null;

/** Ends the test run that is under way. */
export function stopTests(): void {
  if (running?.pid !== undefined) process.kill(-running.pid, "SIGKILL");
}

/** Runs test files of the tree under `root` with vitest, up to the first failure. */
export async function runTests(
  root: string,
  files: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Failure> {
  const folder = mkdtempSync(path.join(tmpdir(), "mutants-"));
  const reportFile = path.join(folder, "report.json");
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--bail=1",
    `--maxWorkers=${workersFor(files)}`,
    "--reporter=json",
    `--outputFile=${reportFile}`,
    ...files.map((file) => path.join(root, file)),
  ];
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      // A group of its own: a run that hangs is ended together with its workers.
      running = spawn(process.execPath, args, {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: "ignore",
        detached: true,
      });
      const limit = setTimeout(stopTests, limitOf(files));
      running.on("error", reject);
      running.on("exit", (exitCode) => {
        clearTimeout(limit);
        running = null;
        resolve(exitCode);
      });
    });
    if (code === 0) return null;
    return existsSync(reportFile)
      ? firstFailure(root, JSON.parse(readFileSync(reportFile, "utf8")) as Report)
      : { file: "", test: "", message: "The run ended without a report." };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function firstFailure(root: string, { testResults }: Report): Failure {
  for (const { name, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === "failed");
    if (failed !== undefined)
      return { file: path.relative(root, name), test: failed.fullName, message: firstLine(failed.failureMessages[0]) };
  }
  const broken = testResults.find(({ status }) => status === "failed");
  return broken === undefined
    ? { file: "", test: "", message: "The run failed outside its tests." }
    : { file: path.relative(root, broken.name), test: "", message: firstLine(broken.message) };
}

const firstLine = (text = ""): string => (text.split("\n")[0] ?? "").slice(0, 200);
