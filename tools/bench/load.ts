// npm run bench -- load: 200 users, 100 requests a second of every kind and 50 concurrent bulk jobs, on real Postgres with a web and a
// worker process. LOAD_SECONDS, LOAD_RATE, LOAD_USERS, LOAD_JOBS and TEST_DATABASE_URL change this.
import http from "node:http";
import { Client } from "pg";
import { startPostgres } from "../../scripts/postgres.mjs";
import { openHouse, pause, type House } from "../chaos/house.ts";
import { Seller } from "../chaos/seller.ts";
import { round } from "./measure.ts";

const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const seconds = number("LOAD_SECONDS", 60);
const rate = number("LOAD_RATE", 100);
const users = number("LOAD_USERS", 200);
const jobs = number("LOAD_JOBS", 50);
const LEADS_EACH = 400;
const MESSAGE_TARGETS = 50;
/** Makes the jobs last as long as the load. */
const THROTTLE_SECONDS = Math.min(10, Math.max(0.1, (seconds * 1.1) / MESSAGE_TARGETS));
const print = (line: string) => console.log(`load · ${line}`);

type Call = { name: string; method: string; path: string; body?: unknown; weight: number };
const year = "start=2026-01-01T00:00:00Z&end=2027-01-01T00:00:00Z";
const CALLS: Call[] = [
  { name: "leads, first page", method: "GET", path: "/api/leads?limit=50", weight: 30 },
  { name: "leads, a late page", method: "GET", path: "/api/leads?limit=50&offset=300", weight: 10 },
  { name: "leads by name", method: "GET", path: "/api/leads?limit=50&name=son%201", weight: 10 },
  { name: "stages", method: "GET", path: "/api/stages", weight: 12 },
  { name: "a stage saved", method: "POST", path: "/api/stages", body: null, weight: 4 },
  {
    name: "settings saved",
    method: "POST",
    path: "/api/user_settings",
    body: { auto_followups_enabled: false, auto_followup_start_hour: 8, auto_followup_end_hour: 20 },
    weight: 6,
  },
  { name: "follow-ups", method: "GET", path: "/api/followups", weight: 6 },
  { name: "telegram status", method: "GET", path: "/api/telegram/status", weight: 8 },
  { name: "stats, total", method: "GET", path: `/api/stats/total?${year}`, weight: 5 },
  { name: "stats, breakdown", method: "GET", path: `/api/stats/stage-breakdown?${year}`, weight: 5 },
  { name: "own profile row", method: "GET", path: "/rest/v1/users?select=id", weight: 4 },
];
const bag = CALLS.flatMap((call) => Array.from({ length: call.weight }, () => call));

/** Adds leads besides those who wrote: rows as the intake creates them. */
async function addLeads(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into leads (owner_id, telegram_user_id, name, stage_id, created_at, stage_entered_at)
     select s.owner_id, 1000000 + n, 'Person ' || n, s.id, now() - n * interval '1 minute', now()
     from (select distinct on (owner_id) owner_id, id from stages order by owner_id, "order") s, generate_series(1, $1::int) n`,
    [LEADS_EACH],
  );
  await client.query("analyze leads");
  await client.end();
}

async function joinAll(house: House): Promise<Seller[]> {
  const sellers: Seller[] = [];
  const numbers = Array.from({ length: users }, (_, index) => index + 1).values();
  const join = async () => {
    for (const number of numbers) {
      const seller = await Seller.join(house, number);
      await seller.meetPeople(number <= jobs ? MESSAGE_TARGETS : 1);
      sellers.push(seller);
    }
  };
  await Promise.all(Array.from({ length: 4 }, join));
  return sellers;
}

type Result = { name: string; ms: number; status: number; isTurnedAway: boolean };

/** Starts requests at fixed times, without waiting for earlier responses. */
async function fire(house: House, sellers: Seller[]): Promise<Result[]> {
  const agent = new http.Agent({ keepAlive: true });
  const running: Promise<Result>[] = [];
  const startedAt = performance.now();
  for (let count = 0; count < seconds * rate; count += 1) {
    const wait = startedAt + (count * 1000) / rate - performance.now();
    if (wait > 1) await pause(wait);
    const seller = sellers[Math.floor(Math.random() * sellers.length)];
    const call = bag[Math.floor(Math.random() * bag.length)];
    if (seller !== undefined && call !== undefined) running.push(ask(house.web.url, agent, seller.token, call, count));
  }
  const results = await Promise.all(running);
  agent.destroy();
  return results;
}

function ask(
  url: string,
  agent: http.Agent,
  token: string,
  { name, method, path, body }: Call,
  count: number,
): Promise<Result> {
  const given =
    body === null ? { name: `Stage ${count}`, keywords: [`word${count}`], order: 1, color: "#336699" } : body;
  const from = performance.now();
  return new Promise((resolve) => {
    const done = (status: number, isTurnedAway = false) =>
      resolve({ name, ms: performance.now() - from, status, isTurnedAway });
    const request = http.request(
      url + path,
      {
        method,
        agent,
        headers: { authorization: `Bearer ${token}`, apikey: "leadloom-anon", "content-type": "application/json" },
      },
      (response) => {
        response.resume();
        const isTurnedAway = response.statusCode === 503 && response.headers["retry-after"] !== undefined;
        response.on("end", () => done(response.statusCode ?? 0, isTurnedAway));
        response.on("error", () => done(0));
      },
    );
    request.on("error", () => done(0));
    request.end(given === undefined ? undefined : JSON.stringify(given));
  });
}

const hasFailed = ({ status, isTurnedAway }: Result): boolean => !isTurnedAway && (status === 0 || status >= 500);

function table(results: Result[]) {
  const names = [...new Set(results.map(({ name }) => name))].toSorted();
  return ["all", ...names].map((name) => {
    const own = results.filter((result) => name === "all" || result.name === name);
    const times = own.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const at = (share: number) => round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
    const failed = own.filter(hasFailed).length;
    const turnedAway = own.filter(({ isTurnedAway }) => isTurnedAway).length;
    const refused = own.filter(({ status }) => status >= 400 && status < 500).length;
    return {
      call: name,
      requests: own.length,
      "p50 ms": at(0.5),
      "p99 ms": at(0.99),
      "most ms": at(1),
      failed,
      "turned away": turnedAway,
      refused,
    };
  });
}

/** Returns the 99th percentile of a process's event-loop delay since the last call, in ms. */
async function loopDelay(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return round(Number(/event_loop_delay_seconds\{quantile="0.99"\} (\S+)/.exec(text)?.[1]) * 1000);
}

const own = process.env["TEST_DATABASE_URL"] === undefined ? await startPostgres() : null;
const databaseUrl = process.env["TEST_DATABASE_URL"] ?? own?.url;
if (databaseUrl === undefined) {
  print("no Postgres here: set TEST_DATABASE_URL to an empty database, or install Debian's postgresql");
  process.exit(1);
}
const house = await openHouse({ databaseUrl, workers: 1 });
try {
  const sellers = await joinAll(house);
  const senders = sellers.toSorted((a, b) => a.phone.localeCompare(b.phone)).slice(0, jobs);
  await Promise.all(senders.map((seller) => seller.startBulk("Load", THROTTLE_SECONDS)));
  await addLeads(databaseUrl);
  print(`${users} users with ${LEADS_EACH} leads each are ready; ${jobs} bulk messages are running`);
  await Promise.all([house.web, ...house.senders].map(({ url }) => loopDelay(url)));
  const results = await fire(house, sellers);
  const [web = 0, worker = 0] = await Promise.all([house.web, ...house.senders].map(({ url }) => loopDelay(url)));
  const running = await Promise.all(senders.map((seller) => seller.job()));
  const still = running.filter(({ status }) => status === "in_progress").length;
  console.table(table(results));
  print(
    `bulk jobs still running at the end: ${still} of ${jobs}, sent ${running.reduce((sum, job) => sum + job.sent_count, 0)}`,
  );
  print(`event-loop delay, 99th percentile: web ${web} ms, worker ${worker} ms`);
  const failed = results.filter(hasFailed).length;
  // Requests that a busy server asks to retry also count as failures: an idle machine handles all of them.
  const turnedAway = results.filter(({ isTurnedAway }) => isTurnedAway).length;
  print(`${results.length} requests in ${seconds} s: ${failed} failed, ${turnedAway} turned away`);
  process.exitCode = failed + turnedAway === 0 ? 0 : 1;
} finally {
  await house.close();
  own?.stop();
}
