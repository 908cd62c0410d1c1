// npm run chaos -- outage: cuts the database 100 times and crashes it five times under load. OUTAGE_CUTS, OUTAGE_DOWNS and OUTAGE_DOWN_MS
// change the size.
import { runOutages } from "./outage-run.ts";

const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const figures = await runOutages({
  cuts: number("OUTAGE_CUTS", 100),
  downs: number("OUTAGE_DOWNS", 5),
  downMs: number("OUTAGE_DOWN_MS", 10_000),
  clients: 12,
  leads: 300,
});
console.log(figures ?? "outage · no Postgres here: install Debian's postgresql");
const isGood =
  figures !== null &&
  figures.wrong.length + figures.crashed.length + figures.duplicated + figures.lost === 0 &&
  figures.stagesInOrder &&
  figures.slowestAnswerMs <= 5_000 &&
  figures.recoveredMs <= 5_000;
console.log(`outage · ${isGood ? "answered, healed, nothing lost" : "FAILED"}`);
process.exitCode = isGood ? 0 : 1;
