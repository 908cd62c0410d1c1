import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A test file's first failure; `file` is empty when the run failed outside its test files. */
export type Failure = { file: string; test: string; message: string };

type Report = {
  testResults: readonly {
    name: string;
    status: string;
    message: string;
    assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[];
  }[];
};

/** A time limit longer than passing tests take on a busy machine, so that a hanging run ends. */
const limitOf = (files: readonly string[]): number => 5 * 60_000 + files.length * 30_000;
/** A second worker loads the same modules again, which only pays off for many files. */
const workersFor = (files: readonly string[]): number => (files.length > 6 ? 2 : 1);

export type RunOptions = { env: Readonly<Record<string, string>>; signal: AbortSignal; wantsAll?: boolean };

/** Runs test files of the tree under `root` with vitest. Returns the first failure, or all of them if requested. Throws when aborted. */
export async function runTests(
  root: string,
  files: readonly string[],
  { env, signal, wantsAll = false }: RunOptions,
): Promise<Failure[]> {
  signal.throwIfAborted();
  const folder = mkdtempSync(path.join(tmpdir(), "mutants-"));
  const reportFile = path.join(folder, "report.json");
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    `--bail=${wantsAll ? 0 : 1}`,
    `--maxWorkers=${workersFor(files)}`,
    "--reporter=json",
    `--outputFile=${reportFile}`,
    ...files.map((file) => path.join(root, file)),
  ];
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      // A separate process group, so that a hanging run is killed together with its workers.
      const run = spawn(process.execPath, args, {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: "ignore",
        detached: true,
      });
      const end = () => run.pid !== undefined && process.kill(-run.pid, "SIGKILL");
      const limit = setTimeout(end, limitOf(files));
      signal.addEventListener("abort", end);
      run.on("error", reject);
      run.on("exit", (exitCode) => {
        clearTimeout(limit);
        signal.removeEventListener("abort", end);
        resolve(exitCode);
      });
    });
    signal.throwIfAborted();
    if (code === 0) return [];
    return existsSync(reportFile)
      ? failuresIn(root, JSON.parse(readFileSync(reportFile, "utf8")) as Report)
      : [{ file: "", test: "", message: "The run ended without a report." }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function failuresIn(root: string, { testResults }: Report): Failure[] {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.find((test) => test.status === "failed");
    if (failed === undefined && (status !== "failed" || message === "")) return [];
    const [text, test] = failed ? [failed.failureMessages[0], failed.fullName] : [message, ""];
    return [{ file: path.relative(root, name), test, message: firstLine(text) }];
  });
  return failures.length > 0 ? failures : [{ file: "", test: "", message: "The run failed outside its tests." }];
}

const firstLine = (text = ""): string => (text.split("\n")[0] ?? "").slice(0, 200);
