// npm run bench -- server --only live,conversations: the server's budgets, some as ratios to a plain server in the same run, on a real
// Postgres; with a million leads for the topics that need them.
import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openDatabase } from "../../server/db/index.ts";
import { readArguments } from "../../scripts/arguments.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { freePort } from "../../tests/support/ports.ts";
import { writeDataset } from "./dataset.ts";
import { benchEngine, connect } from "./engine.ts";
import { benchForecast, writeSteps } from "./forecast.ts";
import { benchInbox, writeConversations } from "./inbox.ts";
import { benchLab, benchLedger, writeLedger, writeRecentMessages } from "./ledger.ts";
import { benchLists, writeOwnColumns } from "./lists.ts";
import { benchLive } from "./live.ts";
import { benchMatching } from "./matching.ts";
import { hammer, median, round, timed } from "./measure.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const CONNECTIONS = 16;
const ROUNDS = 5;
const SECONDS = 3;
const print = (title: string, figures: Record<string, string | number>) => {
  console.log(`\n${title}`);
  for (const [name, value] of Object.entries(figures)) console.log(`  ${name.padEnd(52)} ${value}`);
};

const TOPICS = ["matching", "live", "leads", "conversations", "lists", "ledger", "lab", "engine", "forecast"] as const;
const { values } = readArguments("npm run bench -- server [--only TOPICS]", { options: { only: { type: "string" } } });
const wanted = values.only?.split(",") ?? TOPICS;
const strange = wanted.find((name) => !TOPICS.some((known) => known === name));
if (strange !== undefined) {
  console.error(`Unknown topic '${strange}'. --only takes ${TOPICS.join(",")}`);
  process.exit(2);
}
const isWanted = (...names: (typeof TOPICS)[number][]) => names.some((name) => wanted.includes(name));

if (isWanted("matching")) print("Keyword matching", benchMatching());
if (!isWanted("live", "leads", "conversations", "lists", "ledger", "lab", "engine", "forecast")) process.exit();

/** Starts a separate Postgres for each part, so that one does not affect the next. */
async function ownPostgres() {
  const started = await startPostgres();
  if (started !== null) return started;
  console.log("\nNo Postgres on this machine (Debian: apt-get install postgresql): the other figures need one.");
  return process.exit(1);
}

if (isWanted("live")) {
  const own = await ownPostgres();
  try {
    print(
      "From a message to the open page with 200 busy accounts, and from a reply to Telegram",
      await benchLive(own.url),
    );
  } finally {
    own.stop();
  }
}
if (!isWanted("leads", "conversations", "lists", "ledger", "lab", "engine", "forecast")) process.exit();

const postgres = await ownPostgres();
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-bench-"));
const children: ChildProcess[] = [];
const run = (file: string, args: string[], env: Record<string, string> = {}): ChildProcess => {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", file, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
};

try {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  run("server/main.ts", [], {
    PORT: String(port),
    LEADLOOM_DATA: dataDir,
    DATABASE_URL: postgres.url,
    LOG_LEVEL: "error",
    NODE_ENV: "development",
  });
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 200));
  const email = "bench@example.com";
  const post = (address: string, body: unknown) =>
    fetch(url + address, {
      method: "POST",
      headers: { "content-type": "application/json", apikey: "leadloom-anon" },
      body: JSON.stringify(body),
    });
  const session = (await (await post("/auth/v1/signup", { email, password: "correct horse battery" })).json()) as {
    access_token: string;
    user: { id: string };
  };
  await post(`/sandbox/billing/subscriptions/${email}`, { status: "active" });

  // Writing a million rows at once takes longer than the usual limits allow.
  const limits = { statementMs: 0, queryMs: 0 };
  const { engine, db, close } = await openDatabase({ kind: "postgres", url: postgres.url, limits });
  console.log("\nwriting a million leads …");
  const { stageIds } = await writeDataset(engine.pool, session.user);

  const headers = { authorization: `Bearer ${session.access_token}` };
  if (isWanted("leads")) {
    const naive = run("tools/bench/naive-server.ts", [postgres.url, session.user.id]);
    const naivePort = await new Promise<string>((resolve) =>
      naive.stdout?.once("data", (chunk: Buffer) => resolve(chunk.toString().trim())),
    );
    let turn = 0;
    const address = (base: string) => () =>
      `${base}?limit=50&offset=${(turn++ % 10) * 50}&stage_id=${stageIds[turn % stageIds.length]}`;
    const ours = { url: address(`${url}/api/leads`), headers, connections: CONNECTIONS };
    const plain = { url: address(`http://127.0.0.1:${naivePort}/leads`), connections: CONNECTIONS };
    await hammer({ ...ours, seconds: 1 });
    await hammer({ ...plain, seconds: 1 });
    const rounds = [];
    for (let index = 0; index < ROUNDS; index += 1) {
      rounds.push({
        ours: await hammer({ ...ours, seconds: SECONDS }),
        plain: await hammer({ ...plain, seconds: SECONDS }),
      });
    }
    print("GET /api/leads, complete, against a plain server with count(*)", {
      "requests a second, product": Math.round(median(rounds.map((r) => r.ours.perSecond))),
      "requests a second, plain": Math.round(median(rounds.map((r) => r.plain.perSecond))),
      "throughput ratio (budget at least 1.4)": round(median(rounds.map((r) => r.ours.perSecond / r.plain.perSecond))),
      "p99 ms, product and plain": `${round(median(rounds.map((r) => r.ours.p99)))} ${round(median(rounds.map((r) => r.plain.p99)))}`,
      "p99 ratio (budget at most 0.7)": round(median(rounds.map((r) => r.ours.p99 / r.plain.p99))),
      failed: rounds.reduce((sum, r) => sum + r.ours.failed + r.plain.failed, 0),
    });

    const one = (query: string) =>
      timed(30, async () => void (await (await fetch(`${url}/api/leads?limit=50&${query}`, { headers })).text()));
    await one("offset=0");
    const first = await one("offset=0");
    const pages = {
      "10,000": await one("offset=10000"),
      middle: await one("offset=50000"),
      "75,000": await one("offset=75000"),
      last: await one("offset=99950"),
    };
    print("Any page of 100,000 leads, p50 ms (budget: 5 times the first page)", {
      first: round(first),
      ...Object.fromEntries(
        Object.entries(pages).map(([name, ms]) => [name, `${round(ms)}  (${round(ms / first)} times)`]),
      ),
    });
    print("Name filter on 100,000 leads, p50 ms (budget 15)", {
      "common part (annabel)": round(await one("name=annabel")),
      "rare part (zephyrine)": round(await one("name=zephyrine")),
      "two words (annabel smith 1)": round(await one("name=annabel%20smith%201")),
    });
    print("Everything at once", {
      "limit=100000, ms": round(
        await timed(3, async () => void (await (await fetch(`${url}/api/leads?limit=100000`, { headers })).text())),
      ),
    });
  }
  if (isWanted("conversations", "lists", "ledger", "lab")) {
    console.log("\nwriting a million messages …");
    const { longLeadId } = await writeConversations(engine.pool, session.user.id);
    const get = async (where: string) =>
      (await (await fetch(url + where, { headers })).json()) as { next?: string | null; total?: number };
    if (isWanted("conversations"))
      print("Conversations of 100,000 leads and 1,000,000 messages, p50 ms", await benchInbox(get, longLeadId));
    if (isWanted("lists")) {
      const own = await writeOwnColumns(engine.pool, session.user.id);
      print(
        "Lists of 100,000 leads and 1,000,000 messages, p50 ms (budget 30)",
        await benchLists(get, { ...own, stageId: stageIds[0] ?? "" }),
      );
    }
    if (isWanted("ledger")) {
      console.log("\nwriting a million sent messages …");
      await writeLedger(engine.pool, session.user.id);
      print("Ledger of 1,020,000 messages, p50 ms", await benchLedger(get, longLeadId));
    }
    if (isWanted("lab")) {
      await writeRecentMessages(engine.pool, session.user.id);
      print("Preview of edited keywords on the last 90 days", await benchLab({ url, headers, stageIds }));
    }
  }
  if (isWanted("engine")) print("Intake and planning", await benchEngine({ db, engine, url, headers }));
  if (isWanted("forecast")) {
    await connect(url, headers);
    await writeSteps(engine.pool, session.user.id);
    const get = async (where: string) => (await (await fetch(url + where, { headers })).json()) as { total?: number };
    print("Forecast for an owner of 100,000 leads, p50 ms", await benchForecast(get));
  }
  await close();
} finally {
  for (const child of children) child.kill("SIGKILL");
  postgres.stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
}
