import { spawnSync } from "node:child_process";
import { runCommand } from "../command.ts";

/** Runs test files that are not part of `npm test`; further arguments select among them. */
function runVitest(project: string, files: readonly string[], env: Record<string, string> = {}): void {
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project", project, ...files];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env: { ...env, ...process.env } });
  process.exitCode = status ?? 1;
}

await runCommand("chaos", {
  bulk: {
    does: "kills the process 50 times during bulk messages",
    takes: "[embedded|postgres|media ...]",
    start: () => import("./bulk.ts"),
  },
  cancels: { does: "cancels 200 bulk messages at random moments", start: () => import("./cancels.ts") },
  drills: {
    does: "restores a backup, rotates keys, kills workers, cuts connections, measures idle jobs",
    takes: "[part of a file name ...]",
    start: async () => runVitest("drills", process.argv.slice(2)),
  },
  forecast: { does: "compares 200 forecasts with what is sent", start: () => import("./forecast.ts") },
  freezes: { does: "freezes workers and changes their clocks", start: () => import("./freezes.ts") },
  fuzz: { does: "sends 20,000 malformed requests to every call", start: () => import("./fuzz.ts") },
  histories: {
    does: "generates 1,000 absences and checks for missing messages",
    start: () => import("./histories.ts"),
  },
  models: {
    does: "compares long random histories of subscriptions, steps and leads with models",
    start: async () => runVitest("drills", ["tools/chaos/drills/models.test.ts"]),
  },
  outage: { does: "cuts the database 100 times and crashes it five times", start: () => import("./outage.ts") },
  rhythm: {
    does: "paces 10,000 sends on a virtual clock (RHYTHM_SENDS, RHYTHM_SEED)",
    start: async () => runVitest("drills", ["tools/chaos/drills/rhythm.test.ts"], { RHYTHM_SENDS: "10000" }),
  },
  stops: { does: "stops the server by SIGTERM 20 times under load", start: () => import("./stops.ts") },
  webhooks: { does: "delivers to 100 bad receivers while workers are killed", start: () => import("./webhooks.ts") },
});
