// npm run bench -- scale --accounts 2000 --leads 1000000 --only idle,memory: what a large installation costs, against its budgets, on its
// own Postgres. Topics are files in this folder; each returns lines of the table.
import { readArguments, refuseArguments } from "../../../scripts/arguments.mjs";
import { startPostgres } from "../../../scripts/postgres.mjs";
import { openDatabase } from "../../../server/db/index.ts";
import { openInstallation } from "./installation.ts";
import type { Figure } from "./topic.ts";
import { topics } from "./topics.ts";

const USAGE = "npm run bench -- scale [--accounts N --leads N --only TOPICS]";
const { values } = readArguments(USAGE, {
  options: {
    accounts: { type: "string", default: "2000" },
    leads: { type: "string", default: "1000000" },
    only: { type: "string" },
  },
});
const known = topics.map(({ name }) => name);
const names = values.only?.split(",") ?? known;
const strange = names.filter((name) => !known.includes(name));
if (strange.length > 0)
  refuseArguments(`Unknown topic: ${strange.join(", ")}. --only takes ${known.join(",")}.`, USAGE);
const wanted = topics.filter(({ name }) => names.includes(name));
const print = (line: string) => console.log(`scale · ${line}`);

const notMeasured = (name: string, error: unknown): Figure => ({
  item: name,
  figure: `not measured: ${error instanceof Error ? error.message : String(error)}`,
  budget: "-",
  isWithin: false,
});

const postgres = await startPostgres({ settings: { shared_preload_libraries: "pg_stat_statements" } });
if (postgres === null) {
  print("no Postgres on this machine (Debian: apt-get install postgresql)");
  process.exit(1);
}
const database = await openDatabase({ kind: "postgres", url: postgres.url });
await database.engine.pool.query("create extension pg_stat_statements");
const accounts = Number(values.accounts);
const installation = await openInstallation({ database, databaseUrl: postgres.url, accounts, print });
const figures: Figure[] = [];
try {
  for (const { name, measure } of wanted) {
    print(name);
    const scale = { accounts, leads: Number(values.leads), database, databaseUrl: postgres.url, installation, print };
    // A topic that fails becomes a line of the table, and the others still run.
    const found = await measure(scale).catch((error: unknown) => [notMeasured(name, error)]);
    // Printed at once, so that an interrupted run has shown its figures.
    for (const { item, figure, budget, isWithin } of found)
      print(`  ${item}: ${figure} (${budget}) ${isWithin ? "met" : "MISSED"}`);
    figures.push(...found);
    await installation.stopWorkers();
  }
} finally {
  await installation.close();
  await database.close();
  postgres.stop();
}
console.table(figures.map(({ isWithin, ...line }) => ({ ...line, "": isWithin ? "met" : "MISSED" })));
process.exitCode = figures.every(({ isWithin }) => isWithin) ? 0 : 1;
