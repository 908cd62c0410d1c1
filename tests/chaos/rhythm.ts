// npm run chaos:rhythm: ten thousand sends on a moved clock keep their throttle and every wait that Telegram asks for. RHYTHM_SENDS and
// RHYTHM_SEED choose how many and which; TEST_DATABASE_URL names a Postgres to use instead of the embedded database.
import { spawnSync } from "node:child_process";

const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--project", "server", "tests/server/outbox/rhythm.test.ts"],
  { stdio: "inherit", env: { RHYTHM_SENDS: "10000", ...process.env } },
);
process.exitCode = status ?? 1;
