// npm run chaos -- bulk: bulk messages under kill -9, lost responses and cut connections, on the embedded database, on real Postgres, then
// with files of 10 MB. The arguments embedded, postgres and media select parts. CHAOS_KILLS, CHAOS_LEADS, CHAOS_MEDIA_KILLS and CHAOS_SEED
// change the size; TEST_DATABASE_URL names a Postgres to use instead of a new one.
import { Client } from "pg";
import { readArguments, refuseArguments } from "../../scripts/arguments.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import { pngOf } from "../../tests/support/files.ts";
import { runScenario, type Figures } from "./scenario.ts";

const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const kills = number("CHAOS_KILLS", 50);
const leads = number("CHAOS_LEADS", 1_000);
const seed = number("CHAOS_SEED", Date.now() % 100_000);
const mediaKills = number("CHAOS_MEDIA_KILLS", 20);
const PARTS = ["embedded", "postgres", "media"];
const USAGE = `npm run chaos -- bulk [${PARTS.join("|")} ...]`;
const { positionals: chosen } = readArguments(USAGE, { allowPositionals: true });
const unknown = chosen.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) refuseArguments(`Unknown part: ${unknown.join(", ")}.`, USAGE);
const wants = (part: string) => chosen.length === 0 || chosen.includes(part);

const print = (line: string) => console.log(`chaos · ${line}`);

async function onEmbedded(): Promise<Figures> {
  return runScenario(
    { name: "embedded, 1 process", databaseUrl: null, workers: 0, sellers: 1, leadsEach: leads, kills, seed },
    print,
  );
}

async function onPostgres(): Promise<Figures | null> {
  const given = process.env["TEST_DATABASE_URL"];
  const own = given === undefined ? await startPostgres() : null;
  const server = given ?? own?.url;
  if (server === undefined) {
    print("no Postgres here: set TEST_DATABASE_URL, or install Debian's postgresql");
    return null;
  }
  const name = `leadloom_chaos_${process.pid}`;
  const admin = async (sql: string) => {
    const client = new Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  try {
    await admin(`create database ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    const leadsEach = Math.ceil((leads * 1.5) / 3);
    return await runScenario(
      { name: "Postgres, 3 workers", databaseUrl: url.href, workers: 3, sellers: 3, leadsEach, kills, seed },
      print,
    );
  } finally {
    await admin(`drop database if exists ${name} with (force)`).catch(() => {});
    own?.stop();
  }
}

/** Sends a picture of the largest allowed size and kills the process during uploads. */
async function withMedia(): Promise<Figures> {
  const file = new File([pngOf(MEDIA_MAX_BYTES)], "picture.png", { type: "image/png" });
  const plan = {
    name: "embedded, 10 MB each",
    databaseUrl: null,
    workers: 0,
    sellers: 1,
    kills: mediaKills,
    seed,
    file,
  };
  return runScenario({ ...plan, leadsEach: Math.max(60, 20 * mediaKills) }, print);
}

print(`seed ${seed}`);
const results = [
  wants("embedded") ? await onEmbedded() : null,
  wants("postgres") ? await onPostgres() : null,
  wants("media") ? await withMedia() : null,
].filter((figures) => figures !== null);
console.table(
  results.map(({ recoveryMs, startMs, ...figures }) => ({
    ...figures,
    "kill → next send, ms (median, most)": `${recoveryMs.median}, ${recoveryMs.most}`,
    "kill → restarted, ms (median, most)": `${startMs.median}, ${startMs.most}`,
  })),
);
const isGood = results.every(({ duplicated, lost, totalsAgree }) => duplicated === 0 && lost === 0 && totalsAgree);
print(isGood ? "nothing was sent twice, nothing was lost" : "FAILED");
process.exitCode = isGood && results.length > 0 ? 0 : 1;
