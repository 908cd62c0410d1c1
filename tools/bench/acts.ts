// npm run bench -- acts: bulk actions of one user on 100,000 leads, their effect on other users, and export and import of the same leads.
// Uses a real Postgres; the server runs in its own process.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "../../scripts/arguments.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { openDatabase } from "../../server/db/index.ts";
import { freePort } from "../../tests/support/ports.ts";
import { round } from "./measure.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const LEADS = 100_000;
const OTHERS = 2_000;
const QUIET_MS = 6_000;
const { values } = readArguments("npm run bench -- acts [--quick]", { options: { quick: { type: "boolean" } } });

const postgres = await startPostgres();
if (postgres === null) {
  console.log("No Postgres on this machine (Debian: apt-get install postgresql): these figures need one.");
  process.exit(1);
}
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-acts-"));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "server/main.ts"], {
  cwd: root,
  env: {
    ...process.env,
    PORT: String(port),
    LEADLOOM_DATA: dataDir,
    DATABASE_URL: postgres.url,
    LOG_LEVEL: "error",
    NODE_ENV: "development",
  },
  stdio: ["ignore", "ignore", "inherit"],
});

const residentMb = (): number => {
  const status = fs.readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};
/** Returns the result, the duration, and the largest growth of the server's memory in MB. */
async function growthOf<T>(work: () => Promise<T>): Promise<{ result: T; ms: number; growthMb: number }> {
  const before = residentMb();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, residentMb())), 20);
  const began = performance.now();
  try {
    const result = await work();
    return { result, ms: performance.now() - began, growthMb: most - before };
  } finally {
    clearInterval(watch);
  }
}

type Session = { access_token: string; user: { id: string } };
async function newUser(email: string): Promise<Session> {
  const post = (address: string, body: unknown) =>
    fetch(url + address, {
      method: "POST",
      headers: { "content-type": "application/json", apikey: "leadloom-anon" },
      body: JSON.stringify(body),
    });
  const session = (await (
    await post("/auth/v1/signup", { email, password: "correct horse battery" })
  ).json()) as Session;
  await post(`/sandbox/billing/subscriptions/${email}`, { status: "active" });
  return session;
}

try {
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 200));
  const seller = await newUser("seller@example.com");
  const other = await newUser("other@example.com");
  const limits = { statementMs: 0, queryMs: 0 };
  const { engine, close } = await openDatabase({ kind: "postgres", url: postgres.url, limits });
  const stages: Record<string, string[]> = {};
  for (const [{ user }, count, first] of [
    [seller, LEADS, 1],
    [other, OTHERS, 1_000_001],
  ] as const) {
    const made = await engine.pool.query<{ id: string }>(
      `insert into stages (owner_id, name, "order") select $1, 'Stage ' || n, n from generate_series(1, 3) n returning id`,
      [user.id],
    );
    stages[user.id] = made.rows.map(({ id }) => id);
    await engine.pool.query(
      `insert into followups (owner_id, stage_id, message, followup_order) select owner_id, id, 'Hello again', 0 from stages where owner_id = $1`,
      [user.id],
    );
    await engine.pool.query(
      `insert into leads (owner_id, telegram_user_id, name, username, notes, stage_id, created_at, stage_entered_at, last_user_message_at, last_message_at, last_inbound_at)
      select $1, $2::bigint + n, 'Lead ' || n, 'lead_' || $2::bigint + n, 'Some words about lead ' || n, $3, now() - n * interval '1 minute',
        now() - n * interval '1 minute', now() - n * interval '1 minute', now() - n * interval '1 minute', now() - n * interval '1 minute'
      from generate_series(0, $4::int - 1) n`,
      [user.id, first, stages[user.id]?.[0], count],
    );
  }
  await engine.pool.query(`insert into tags (owner_id, name, color, created_at) values ($1, 'Hot', '#112233', now())`, [
    seller.user.id,
  ]);
  await engine.pool.query("vacuum analyze");
  await close();

  const call = async <T>(
    { access_token: token }: Session,
    method: string,
    address: string,
    body?: unknown,
  ): Promise<T> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(url + address, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  /** Loads another owner's list in a loop until told to stop. Returns response times in ms. */
  const timeOtherUser = async (goesOn: () => boolean): Promise<{ p50: number; p99: number }> => {
    const times: number[] = [];
    while (goesOn()) {
      const began = performance.now();
      await call(other, "GET", "/api/leads?limit=50&offset=0");
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    times.sort((a, b) => a - b);
    const share = (of: number) => times[Math.floor(times.length * of)] ?? Number.NaN;
    return { p50: share(0.5), p99: share(0.99) };
  };
  const quietFor = async (ms: number) => {
    const end = performance.now() + ms;
    return timeOtherUser(() => performance.now() < end);
  };
  type Job = { status: string; done: number; total: number; changed: number; undo_id: string | null };
  const jobOf = async (ordered: { job_id: string }): Promise<Job> => {
    for (;;) {
      const job = await call<Job>(seller, "GET", `/api/leads/batch/${ordered.job_id}`);
      if (job.status !== "in_progress") return job;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const watched = async (title: string, order: () => Promise<{ job_id: string }>): Promise<Job> => {
    let isOver = false;
    const others = timeOtherUser(() => !isOver);
    const began = performance.now();
    const ordered = await order();
    const answeredMs = performance.now() - began;
    const job = await jobOf(ordered);
    const ms = performance.now() - began;
    isOver = true;
    const { p50, p99 } = await others;
    console.log(
      `  ${title.padEnd(30)} ${round(ms / 1000)} s (response in ${Math.round(answeredMs)} ms, ${job.changed} changed); other users p50 ${round(p50)}, p99 ${round(p99)} ms`,
    );
    return job;
  };

  console.log(`load ${os.loadavg().map(round).join(" ")}`);
  await quietFor(1_000);
  const quiet = await quietFor(QUIET_MS);
  console.log(`  quiet: others p50 ${round(quiet.p50)}, p99 ${round(quiet.p99)} ms`);
  const order = (action: unknown) => () =>
    call<{ job_id: string }>(seller, "POST", "/api/leads/batch", { where: { query: "" }, action });
  const undo = (job: Job) => () => call<{ job_id: string }>(seller, "POST", `/api/leads/batch/${job.undo_id}/undo`);
  const move = await watched(
    "move of 100,000 (budget 10)",
    order({ type: "move", stage_id: stages[seller.user.id]?.[1] }),
  );
  await watched("its undo", undo(move));
  if (values.quick !== true) {
    const hold = await watched("hold of 100,000", order({ type: "hold" }));
    await watched("its undo", undo(hold));
  }

  const exported = await growthOf(async () => {
    const answer = await fetch(`${url}/api/leads/export`, {
      headers: { authorization: `Bearer ${seller.access_token}` },
    });
    return await answer.text();
  });
  console.log(
    `  export of 100,000: ${round(exported.ms / 1000)} s, ${round(exported.result.length / 1e6)} MB; memory +${Math.round(exported.growthMb)} MB`,
  );
  const form = new FormData();
  form.set("mapping", JSON.stringify({ telegram_user_id: "telegram_user_id", notes: "notes", tags: "tags" }));
  const [header = "", ...lines] = exported.result.split("\r\n");
  const edited = lines.map((line) => line.replace("Some words", "Other words"));
  form.set("file", new Blob([[header, ...edited].join("\r\n")]), "leads.csv");
  const imported = await growthOf(() => call<{ changed: number }>(seller, "POST", "/api/leads/import", form));
  console.log(
    `  import of 100,000: ${round(imported.ms / 1000)} s, ${imported.result.changed} changed; memory +${Math.round(imported.growthMb)} MB`,
  );
  console.log(`load ${os.loadavg().map(round).join(" ")}`);
} finally {
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
  postgres.stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
}
