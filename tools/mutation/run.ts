// npm run mutants: applies one small defect at a time to a copy of the code and tells which tests notice it. See README.md.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../../scripts/postgres.mjs";
import { createCopy } from "./copy.ts";
import { AREAS, KINDS, type Mutant, locate, readMutants } from "./mutant.ts";
import { type Failure, runTests, stopTests } from "./run-tests.ts";
import { createTestSelector } from "./select-tests.ts";

type Verdict = "killed" | "survived" | "not applicable";
/** `phases` counts the phases that ran; a survivor of the first ones may still be killed by a later one. */
type Result = { verdict: Verdict; phases: number; seconds: number; by?: NonNullable<Failure>; file?: string };
type Results = { commit: string; mutants: Record<string, Result>; clean: Record<string, boolean> };

const repository = path.resolve(import.meta.dirname, "../..");
const PHASES = 3;
const NICENESS = 15;

const { values } = parseArgs({
  options: {
    at: { type: "string", default: "HEAD" },
    area: { type: "string" },
    kind: { type: "string" },
    only: { type: "string" },
    phases: { type: "string", default: String(PHASES) },
    results: { type: "string", default: "coverage/mutants.json" },
    summary: { type: "boolean", default: false },
    against: { type: "string" },
  },
});
const resultsFile = path.resolve(repository, values.results);
const earlierFile = values.against === undefined ? null : path.resolve(repository, values.against);

const isChosen = (list: string | undefined, name: string): boolean =>
  list === undefined || list.split(",").includes(name);
const chosen = readMutants().filter(
  ({ id, area, kind }) => isChosen(values.only, id) && isChosen(values.area, area) && isChosen(values.kind, kind),
);

const readResults = (file: string): Results | null =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Results) : null;

function saveResults(results: Results): void {
  mkdirSync(path.dirname(resultsFile), { recursive: true });
  writeFileSync(`${resultsFile}.new`, JSON.stringify(results, null, 2));
  renameSync(`${resultsFile}.new`, resultsFile);
}

/** Prints killed and applicable mutants by area and kind, the survivors, and what an earlier run killed. */
function summarize({ commit, mutants }: Results, listed: readonly Mutant[], earlier: Results | null): void {
  const count = (results: Results["mutants"], matches: (mutant: Mutant) => boolean): string => {
    const group = listed.flatMap((mutant) => (matches(mutant) ? (results[mutant.id] ?? []) : []));
    const applicable = group.filter(({ verdict }) => verdict !== "not applicable");
    const killed = applicable.filter(({ verdict }) => verdict === "killed").length;
    return applicable.length === 0 ? "" : `${killed}/${applicable.length}`;
  };
  const row = (cells: readonly string[]) =>
    cells
      .map((cell) => cell.padEnd(11))
      .join("")
      .trimEnd();
  const table = (results: Results) => {
    console.log(`Killed at ${results.commit.slice(0, 7)}:`);
    console.log(row(["", ...AREAS, "all"]));
    for (const kind of [...KINDS, "all"] as const) {
      const isKind = (mutant: Mutant) => kind === "all" || mutant.kind === kind;
      const areas = AREAS.map((area) => count(results.mutants, (mutant) => isKind(mutant) && mutant.area === area));
      console.log(row([kind, ...areas, count(results.mutants, isKind)]));
    }
  };
  if (earlier !== null) table(earlier);
  table({ commit, mutants, clean: {} });
  for (const { id, description } of listed) {
    const verdict = mutants[id]?.verdict ?? "killed";
    const before = earlier?.mutants[id]?.by;
    if (verdict !== "killed")
      console.log(
        `${verdict}: ${id}: ${description}${before ? ` (killed earlier by ${before.file}: ${before.test})` : ""}`,
      );
  }
  console.log(`not run yet: ${listed.filter(({ id }) => mutants[id] === undefined).length}`);
}

async function run(): Promise<void> {
  setPriority(NICENESS);
  const copy = createCopy(repository, values.at);
  const postgres = await startPostgres();
  const env: Record<string, string> = postgres === null ? {} : { TEST_DATABASE_URL: postgres.url };
  const stopping = new AbortController();
  stopping.signal.addEventListener("abort", stopTests);
  process.once("SIGINT", () => stopping.abort()).once("SIGTERM", () => stopping.abort());
  try {
    const results = readResults(resultsFile) ?? { commit: copy.commit, mutants: {}, clean: {} };
    if (results.commit !== copy.commit)
      throw new Error(`${resultsFile} holds results of ${results.commit}. Name another file with --results.`);
    const select = createTestSelector(copy.root);

    const passes = async (files: readonly string[]) => (await runTests(copy.root, files, env)) === null;

    /** A failure counts when the same tests fail again with the mutant and pass without it, if need be at the second try. */
    async function isKill(files: readonly string[], mutant: { apply(): void; revert(): void }): Promise<boolean> {
      if (await passes(files)) return false;
      const key = files.join(" ");
      mutant.revert();
      results.clean[key] ??= (await passes(files)) || (await passes(files));
      mutant.apply();
      return results.clean[key];
    }

    async function judge(mutant: Mutant, phase: number): Promise<Result> {
      const place = locate(copy.root, mutant);
      if (place === null) return { verdict: "not applicable", phases: PHASES, seconds: 0 };
      const before = results.mutants[mutant.id]?.seconds ?? 0;
      const startedAt = performance.now();
      let files = select(mutant.area, place.file)[phase] ?? [];
      let by: Failure = null;
      place.apply();
      try {
        while (files.length > 0 && !stopping.signal.aborted) {
          const failure = await runTests(copy.root, files, env);
          if (failure === null) break;
          const suspects = failure.file === "" ? files : [failure.file];
          if (await isKill(suspects, place)) {
            by = failure;
            break;
          }
          files = files.filter((file) => !suspects.includes(file));
        }
      } finally {
        place.revert();
      }
      const seconds = before + Math.round((performance.now() - startedAt) / 1000);
      const verdict = by === null ? "survived" : "killed";
      return { verdict, phases: phase + 1, seconds, file: place.file, ...(by === null ? {} : { by }) };
    }

    for (let phase = 0; phase < Number(values.phases); phase += 1)
      for (const mutant of chosen) {
        const known = results.mutants[mutant.id];
        if (known !== undefined && (known.verdict === "killed" || known.phases > phase)) continue;
        const result = await judge(mutant, phase);
        if (stopping.signal.aborted) return;
        results.mutants[mutant.id] = result;
        saveResults(results);
        console.log(
          `${mutant.id}: ${result.verdict} after phase ${phase + 1}, ${result.seconds} s${result.by ? ` by ${result.by.file}` : ""}`,
        );
      }
    summarize(results, chosen, earlierFile === null ? null : readResults(earlierFile));
  } finally {
    postgres?.stop();
    copy.remove();
  }
}

if (values.summary) {
  const results = readResults(resultsFile);
  if (results === null) throw new Error(`${resultsFile} does not exist. Run the mutants first.`);
  summarize(results, chosen, earlierFile === null ? null : readResults(earlierFile));
} else await run();
