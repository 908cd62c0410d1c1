// npm run chaos -- stops: stops the server by SIGTERM twenty times under load. STOPS and TEST_DATABASE_URL choose how often and on which
// database.
import { runStops } from "./stops-run.ts";

const stops = Number(process.env["STOPS"] ?? 20);
const figures = await runStops({
  stops,
  clients: 50,
  streams: 20,
  leads: stops * 40,
  databaseUrl: process.env["TEST_DATABASE_URL"] ?? null,
});
console.log(figures);
const isGood =
  figures.badExits.length + figures.errors.length + figures.reset.length + figures.duplicated + figures.lost === 0 &&
  figures.slowestMs <= 15_000 &&
  figures.announced === stops;
console.log(`stops · ${isGood ? "nothing was lost" : "FAILED"}`);
process.exitCode = isGood ? 0 : 1;
