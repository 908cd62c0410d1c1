// npm run chaos -- forecast: compares the forecasts of generated worlds with what the simulated network receives within 24 hours. WORLDS
// and WORLDS_SEED choose how many and which; TEST_DATABASE_URL names a Postgres to use instead of the embedded database.
import { compareForecasts } from "./forecast-run.ts";

const worlds = Number(process.env["WORLDS"] ?? 200);
const seed = Number(process.env["WORLDS_SEED"] ?? Date.now() % 1_000_000);
const print = (line: string) => console.log(`forecast · ${line}`);

print(`seed ${seed}`);
const { wrong, kinds, ...figures } = await compareForecasts({ worlds, seed, print });
for (const line of wrong.slice(0, 50)) console.error(line);
console.table({ ...figures, ...kinds, wrong: wrong.length });
print(wrong.length === 0 ? "every forecast matches what was sent" : "FAILED");
process.exitCode = wrong.length === 0 ? 0 : 1;
