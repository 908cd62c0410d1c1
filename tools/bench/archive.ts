// npm run bench -- archive: exports an account of 100,000 messages as a zip and imports it into an empty one, on either database. Measures
// the duration, the server's memory, and the longest wait of other users. The server runs in its own process.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { readArguments } from "../../scripts/arguments.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { openDatabase, type DatabaseOptions } from "../../server/db/index.ts";
import { freePort } from "../../tests/support/ports.ts";
import { round } from "./measure.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const MESSAGES = Number(process.env["MESSAGES"] ?? 100_000);
const LEADS = Math.ceil(MESSAGES / 20);
/** As many rows as one statement writes within its time limit. */
const PIECE = 5_000;
const TEXT = "Здравствуйте, сколько стоит доставка в другой город, и есть ли скидка";

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-bench-archive-"));
const { values } = readArguments("npm run bench -- archive [--embedded]", {
  options: { embedded: { type: "boolean" } },
});
const isEmbedded = values.embedded === true;
const postgres = isEmbedded ? null : await startPostgres();
if (!isEmbedded && postgres === null) {
  console.log("No Postgres on this machine (Debian: apt-get install postgresql); use --embedded to run without it.");
  process.exit(1);
}
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const database: DatabaseOptions =
  postgres === null ? { kind: "pglite", dataDir } : { kind: "postgres", url: postgres.url };

const start = () =>
  spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "server/main.ts"], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      LEADLOOM_DATA: dataDir,
      LOG_LEVEL: "error",
      NODE_ENV: "development",
      ...(postgres === null ? {} : { DATABASE_URL: postgres.url }),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
const ready = async () => {
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise((go) => setTimeout(go, 200));
};
let child = start();
const stop = () =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
const residentMb = (): number => {
  const status = fs.readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};

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
  await post(`/sandbox/billing/subscriptions/${encodeURIComponent(email)}`, { status: "active" });
  const headers = { authorization: `Bearer ${session.access_token}` };
  while ((await fetch(`${url}/api/stages`, { headers })).status !== 200) await new Promise((go) => setTimeout(go, 50));
  return session;
}

/** Measures memory and the longest response time for another user while `work` runs. */
async function watched(other: Session, work: () => Promise<void>) {
  const before = residentMb();
  let [most, longest] = [before, 0];
  const over = new AbortController();
  const headers = { authorization: `Bearer ${other.access_token}` };
  const asking = (async () => {
    while (!over.signal.aborted) {
      const began = performance.now();
      await (await fetch(`${url}/api/leads?limit=50`, { headers })).arrayBuffer();
      longest = Math.max(longest, performance.now() - began);
      most = Math.max(most, residentMb());
      await new Promise((go) => setTimeout(go, 50));
    }
  })();
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  over.abort();
  await asking;
  return { seconds: round(ms / 1000), growth_mb: round(most - before), others_longest_ms: round(longest) };
}

try {
  await ready();
  const [seller, next, other] = [
    await newUser("a@example.com"),
    await newUser("b@example.com"),
    await newUser("c@example.com"),
  ];
  await stop();
  const { engine, close } = await openDatabase(database);
  for (let from = 1; from <= MESSAGES; from += PIECE)
    await engine.pool.query(
      `insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, text, sent_at)
       select '${seller.user.id}', 1, 1000 + n % ${LEADS}, n, n % 3 = 0, '${TEXT} ' || n, timestamptz '2026-01-01' + n * interval '1 second' from generate_series(${from}, ${from + PIECE - 1}) n`,
    );
  for (let from = 0; from < LEADS; from += PIECE)
    await engine.pool.query(
      `insert into leads (owner_id, telegram_user_id, name, stage_id, created_at, stage_entered_at)
       select '${seller.user.id}', 1000 + n, 'Person ' || n, (select id from stages where owner_id = '${seller.user.id}' limit 1), now(), now() from generate_series(${from}, ${Math.min(LEADS, from + PIECE) - 1}) n`,
    );
  await close();
  child = start();
  await ready();
  const file = path.join(dataDir, "export.zip");
  const out = await watched(other, async () => {
    const headers = { authorization: `Bearer ${seller.access_token}` };
    const { body } = await fetch(`${url}/api/account/export?format=zip`, { headers });
    if (body !== null) await pipeline(Readable.fromWeb(body), fs.createWriteStream(file));
  });
  console.log(
    `export ${JSON.stringify({ messages: MESSAGES, leads: LEADS, zip_mb: round(fs.statSync(file).size / 1_048_576), ...out })}`,
  );
  const back = await watched(other, async () => {
    const headers = { authorization: `Bearer ${next.access_token}` };
    const form = new FormData();
    form.set("file", await fs.openAsBlob(file), "export.zip");
    const { status } = await fetch(`${url}/api/account/import`, { method: "POST", headers, body: form });
    if (status !== 202) throw new Error(`the import was answered ${status}`);
    for (;;) {
      const job = (await (await fetch(`${url}/api/account/import`, { headers })).json()) as {
        status: string;
        reason: string;
      };
      if (job.status === "completed") return;
      if (job.status === "failed") throw new Error(job.reason);
      await new Promise((go) => setTimeout(go, 200));
    }
  });
  console.log(`import ${JSON.stringify(back)}`);
} finally {
  await stop();
  postgres?.stop();
  fs.rmSync(dataDir, { recursive: true, force: true });
}
