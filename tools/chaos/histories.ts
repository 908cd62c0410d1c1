// npm run chaos -- histories: generates absences, after which no private message may be missing. HISTORIES and HISTORIES_SEED choose how
// many and which; TEST_DATABASE_URL names a Postgres to use instead of the embedded database.
import { runHistories } from "./histories-run.ts";

const histories = Number(process.env["HISTORIES"] ?? 1_000);
const seed = Number(process.env["HISTORIES_SEED"] ?? Date.now() % 1_000_000);
const print = (line: string) => console.log(`histories · ${line}`);

print(`seed ${seed}`);
const { wrong, ...figures } = await runHistories({ histories, seed, print });
for (const line of wrong.slice(0, 50)) console.error(line);
console.table({ ...figures, wrong: wrong.length });
print(wrong.length === 0 ? "nothing was lost" : "FAILED");
process.exitCode = wrong.length === 0 ? 0 : 1;
