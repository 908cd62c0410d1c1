// npm run mutants: applies one small defect at a time to a copy of the code and reports which tests detect it. See README.md.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import path from "node:path";
import { readArguments } from "../../scripts/arguments.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { createCopy } from "./copy.ts";
import { AREAS, KINDS, type Mutant, applyAll, locate, readMutants } from "./mutant.ts";
import { type Failure, runTests } from "./run-tests.ts";
import { createTestSelector } from "./select-tests.ts";

type Verdict = "killed" | "survived" | "not applicable";
/** `phases` counts the phases that ran: a mutant that survived the first ones may still be killed by a later one. */
type Result = { verdict: Verdict; phases: number; seconds: number; by?: Failure; file?: string };
type Results = { commit: string; mutants: Record<string, Result>; clean: Record<string, boolean> };

const repository = path.resolve(import.meta.dirname, "../..");
const PHASES = 3;
const USAGE =
  "npm run mutants -- [--at COMMIT --area AREAS --kind KINDS --only IDS --phases N --results FILE --summary --against FILE]";
const NICENESS = 15;

const { values } = readArguments(USAGE, {
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

/** Prints killed and applicable mutants by area and kind, the survivors, and mutants that only an earlier run killed. */
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
  const stop = () => stopping.abort(new Error("Stopped. Run the command again to resume."));
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const { signal } = stopping;
  try {
    const results = readResults(resultsFile) ?? { commit: copy.commit, mutants: {}, clean: {} };
    if (results.commit !== copy.commit)
      throw new Error(`${resultsFile} contains results of ${results.commit}. Name another file with --results.`);
    const select = createTestSelector(copy.root);

    const passes = async (files: readonly string[]) => (await runTests(copy.root, files, { env, signal })).length === 0;

    /** Runs tests with mutants applied. */
    async function runWith(mutants: readonly Mutant[], files: readonly string[], wantsAll = false): Promise<Failure[]> {
      const { revert } = applyAll(copy.root, mutants);
      try {
        return await runTests(copy.root, files, { env, signal, wantsAll });
      } finally {
        revert();
      }
    }

    /** Returns whether tests pass without a mutant, with one retry. */
    async function isClean(files: readonly string[]): Promise<boolean> {
      const key = files.join(" ");
      results.clean[key] ??= (await passes(files)) || (await passes(files));
      return results.clean[key];
    }

    function save(mutant: Mutant, result: Result): void {
      results.mutants[mutant.id] = result;
      saveResults(results);
      const by = result.by === undefined ? "" : ` by ${result.by.file}`;
      console.log(`${mutant.id}: ${result.verdict} after phase ${result.phases}, ${result.seconds} s${by}`);
    }

    /** Runs the tests of a phase up to the first failure that is repeatable with the mutant and does not occur without it. */
    async function judge(mutant: Mutant, phase: number): Promise<Result> {
      const place = locate(copy.root, mutant);
      if (place === null) return { verdict: "not applicable", phases: PHASES, seconds: 0 };
      const before = results.mutants[mutant.id]?.seconds ?? 0;
      const startedAt = performance.now();
      const seconds = () => before + Math.round((performance.now() - startedAt) / 1000);
      let files = select(mutant.area, place.file)[phase] ?? [];
      while (files.length > 0) {
        const [by] = await runWith([mutant], files);
        if (by === undefined) break;
        const suspects = by.file === "" ? files : [by.file];
        if ((await runWith([mutant], suspects)).length > 0 && (await isClean(suspects)))
          return { verdict: "killed", phases: phase + 1, seconds: seconds(), by };
        files = files.filter((file) => !suspects.includes(file));
      }
      return { verdict: "survived", phases: phase + 1, seconds: seconds() };
    }

    /** Finds the mutants that make tests fail on their own, among several applied together. */
    async function findCulprits(
      mutants: readonly Mutant[],
      files: readonly string[],
    ): Promise<{ mutant: Mutant; by: Failure }[]> {
      const [by] = await runWith(mutants, files);
      const [mutant] = mutants;
      if (by === undefined || mutant === undefined) return [];
      if (mutants.length === 1) return [{ mutant, by }];
      const half = Math.ceil(mutants.length / 2);
      const halves = [mutants.slice(0, half), mutants.slice(half)];
      const found = [];
      for (const part of halves) found.push(...(await findCulprits(part, files)));
      return found;
    }

    /** The last phase runs many tests, so all survivors of an area share one run; failing files then separate them. */
    async function judgeTogether(mutants: readonly Mutant[]): Promise<void> {
      const { applied, revert } = applyAll(copy.root, mutants);
      revert();
      if (applied.length === 0) return;
      const wanted = applied.flatMap((mutant) => {
        const place = locate(copy.root, mutant);
        return place === null ? [] : (select(mutant.area, place.file)[PHASES - 1] ?? []);
      });
      const files = [...new Set(wanted)];
      const failures = await runWith(applied, files, true);
      if (failures.some(({ file }) => file === "") && applied.length > 1) {
        const half = Math.ceil(mutants.length / 2);
        await judgeTogether(mutants.slice(0, half));
        await judgeTogether(mutants.slice(half));
        return;
      }
      const isKilled = ({ id }: Mutant) => results.mutants[id]?.verdict === "killed";
      const end = (mutant: Mutant, by?: Failure) =>
        save(mutant, {
          verdict: by === undefined ? "survived" : "killed",
          phases: PHASES,
          seconds: results.mutants[mutant.id]?.seconds ?? 0,
          ...(by === undefined ? {} : { by }),
        });
      for (const { file } of failures) {
        const suspects = file === "" ? files : [file];
        const open = applied.filter((mutant) => !isKilled(mutant));
        const culprits = (await isClean(suspects)) ? await findCulprits(open, suspects) : [];
        for (const { mutant, by } of culprits) end(mutant, by);
      }
      for (const mutant of applied) if (!isKilled(mutant)) end(mutant);
      const rest = mutants.filter((mutant) => !applied.includes(mutant));
      if (rest.length > 0) await judgeTogether(rest);
    }

    const last = Math.min(Number(values.phases), PHASES);
    for (let phase = 0; phase < Math.min(last, PHASES - 1); phase += 1)
      for (const mutant of chosen) {
        const known = results.mutants[mutant.id];
        if (known !== undefined && (known.verdict === "killed" || known.phases > phase)) continue;
        save(mutant, await judge(mutant, phase));
      }
    if (last === PHASES)
      for (const area of AREAS) {
        const open = chosen.filter(
          ({ id, area: own }) =>
            own === area && results.mutants[id]?.verdict === "survived" && results.mutants[id].phases < PHASES,
        );
        if (open.length > 0) await judgeTogether(open);
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
