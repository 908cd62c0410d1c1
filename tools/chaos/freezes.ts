// npm run chaos -- freezes: stops workers for 5 to 60 seconds during bulk messages and wakes them, as processes and as hosts that slept;
// then sets their hosts' clocks ahead and back. Uses its own Postgres. FREEZES, JUMPS, FREEZE_SECONDS and JUMP_SECONDS (lists) change this.
import { startPostgres } from "../../scripts/postgres.mjs";
import { runFreezes } from "./freezes-run.ts";

const freezes = Number(process.env["FREEZES"] ?? 20);
const jumps = Number(process.env["JUMPS"] ?? 20);
const list = (name: string, fallback: string) => (process.env[name] ?? fallback).split(",").map(Number);
const secondsEach = list("FREEZE_SECONDS", "12,5,20,9,30,14,60,8,16,11");
const jumpSeconds = list("JUMP_SECONDS", "12,3600,60,7200,5");
const total = Array.from({ length: freezes }, (_, turn) => (secondsEach[turn % secondsEach.length] ?? 0) + 4).reduce(
  (sum, seconds) => sum + seconds,
  0,
);
const print = (line: string) => console.log(`freezes · ${line}`);

const postgres = await startPostgres();
if (postgres === null) {
  print("no Postgres here: install Debian's postgresql");
  process.exit(1);
}
try {
  // One message per second and seller, so that the jobs last as long as the freezes.
  const figures = await runFreezes(
    {
      freezes,
      secondsEach,
      jumps,
      jumpSeconds,
      sellers: 4,
      leadsEach: Math.max(30, total) + 3 * jumps,
      throttleSeconds: 1,
      databaseUrl: postgres.url,
    },
    print,
  );
  console.table(figures);
  const isGood =
    figures.sessionsLost + figures.duplicated + figures.lost === 0 &&
    figures.totalsAgree &&
    figures.slowestTakeoverMs <= 15_000;
  print(isGood ? "no session was lost, nothing was sent twice, nothing was lost" : "FAILED");
  process.exitCode = isGood ? 0 : 1;
} finally {
  postgres.stop();
}
