// npm run release:record -- <version> [checkout]: runs a release on a temporary Postgres, uses it as one seller would, and stores its rows
// and its simulated Telegram under tests/server/operations/releases/<version>. The upgrade test starts the current release on each of them.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startPostgres } from "../../scripts/postgres.mjs";
import { giveUp, root, runtimeNode, print } from "../../scripts/setup.mjs";

const PHONE = "+15550001000";
const SELLER = { email: "ann@example.com", password: "correct horse" };
const START_MS = 60_000;
/** The upgrade test uses the same keys to read what was encrypted and signed with them. */
const KEYS = { ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`, SUPABASE_JWT_SECRET: "x".repeat(32) };

const [version, checkout = root] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? "")) giveUp("Name the release: npm run release:record -- 1.0.0");
const postgres = await startPostgres();
if (postgres === null) giveUp("No Postgres on this machine: install Debian's package postgresql.");
const data = mkdtempSync(path.join(tmpdir(), "leadloom-release-"));
const url = "http://127.0.0.1:3998";
const child = spawn(runtimeNode(), ["server/main.ts"], {
  cwd: checkout,
  stdio: "inherit",
  env: { ...process.env, ...KEYS, PORT: "3998", LEADLOOM_DATA: data, DATABASE_URL: postgres.url },
});

/** Polls until the response satisfies the condition. */
async function until(ask, isEnough) {
  let last = null;
  for (const end = Date.now() + START_MS; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) {
    last = await ask().catch(() => null);
    if (last !== null && isEnough(last)) return last;
  }
  child.kill("SIGKILL");
  postgres.stop();
  return giveUp(`Timed out after a minute waiting for ${ask}. Last response: ${JSON.stringify(last)}`);
}

let token = "";
async function call(method, address, body) {
  const isForm = body instanceof FormData;
  const response = await fetch(url + address, {
    method,
    headers: {
      apikey: "leadloom-anon",
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...(isForm || body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${text}`);
  return text === "" ? null : JSON.parse(text);
}
/** Returns the SQL statements that recreate a SQLite file. */
function statementsOf(file) {
  const database = new DatabaseSync(file);
  const objects = database
    .prepare("select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%'")
    .all();
  const literal = (value) =>
    value === null
      ? "null"
      : value instanceof Uint8Array
        ? `x'${Buffer.from(value).toString("hex")}'`
        : typeof value === "string"
          ? `'${value.replaceAll("'", "''")}'`
          : String(value);
  const rowsOf = (name) => {
    const select = database.prepare(`select * from "${name}"`);
    select.setReadBigInts(true);
    return select.all().map((row) => `insert into "${name}" values (${Object.values(row).map(literal).join(", ")});`);
  };
  const inserts = objects.filter(({ type }) => type === "table").flatMap(({ name }) => rowsOf(name));
  database.close();
  return `${[...objects.map(({ sql }) => `${String(sql)};`), ...inserts].join("\n")}\n`;
}

const form = (fields) =>
  Object.entries(fields).reduce((all, [name, value]) => (all.append(name, value), all), new FormData());
const receive = (from, text) => call("POST", `/sandbox/telegram/accounts/${PHONE}/receive`, { from, text });

await until(
  () => fetch(`${url}/readyz`),
  ({ ok }) => ok,
);
await call("POST", "/auth/v1/signup", SELLER);
token = (await call("POST", "/auth/v1/token?grant_type=password", SELLER)).access_token;
await call("POST", `/sandbox/billing/subscriptions/${SELLER.email}`, { status: "active" });
await until(
  () => call("GET", "/api/leads?limit=1&offset=0"),
  () => true,
);
await call("POST", "/sandbox/telegram/accounts", { phone: PHONE });
await call("POST", "/api/telegram/send-code", { phone: PHONE });
const { login_code } = await call("GET", `/sandbox/telegram/accounts/${PHONE}`);
await call("POST", "/api/telegram/verify-code", { phone: PHONE, code: login_code });
await call("GET", "/api/stages");
await call("POST", "/api/stages", { name: "Interested", keywords: ["price"], color: "#336699", order: 2 });
const stages = await call("GET", "/api/stages");
const first = stages.find(({ order }) => order === 1);
await call(
  "POST",
  "/api/followups",
  form({ stage_id: first.id, message: "Hello {name}", followup_order: "0", delay_hours: "2" }),
);
await call("POST", "/api/user_settings", {
  auto_followups_enabled: true,
  auto_followup_start_hour: 0,
  auto_followup_end_hour: 0,
});
await until(
  () => call("GET", "/api/telegram/status"),
  ({ connected }) => connected,
);
await receive({ first_name: "Ada" }, "hi");
const bob = await receive({ first_name: "Bob" }, "hello");
await receive({ first_name: "Cleo" }, "hello");
await until(
  () => call("GET", "/api/leads?limit=50&offset=0"),
  ({ total }) => total === 3,
);
await receive({ user_id: bob.user_id, first_name: "Bob" }, "what is the price?");
const { leads } = await until(
  () => call("GET", "/api/leads?limit=50&offset=0"),
  ({ leads: rows }) => rows.some(({ stage_id }) => stage_id !== first.id),
);
const cleo = leads.find(({ name }) => name === "Cleo");
await call("POST", `/api/followups/send/${cleo.id}`);
await call("PATCH", `/api/leads/${cleo.id}`, { notes: "Call on Monday" });
await call("POST", "/api/tags", { name: "Vip", color: "#ff0000" });
child.kill("SIGTERM");
await new Promise((resolve) => child.once("exit", resolve));

const folder = path.join(root, "tests/server/operations/releases", version);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const options = ["--data-only", "--column-inserts", "--exclude-schema=pgboss", postgres.url];
const dump = execFileSync(path.join(postgres.bin, "pg_dump"), options, { encoding: "utf8", maxBuffer: 1e8 });
const rows = dump
  .split("\n")
  .filter((line) => line !== "" && !/^(--|\\(un)?restrict|SET |SELECT pg_catalog\.set_config)/.test(line));
writeFileSync(path.join(folder, "rows.sql"), `${rows.join("\n")}\n`);
const sandbox = path.join(data, "sandbox");
for (const file of readdirSync(sandbox)) {
  if (file.endsWith(".sqlite")) writeFileSync(path.join(folder, `${file}.sql`), statementsOf(path.join(sandbox, file)));
}
postgres.stop();
rmSync(data, { recursive: true, force: true });
print(`wrote ${rows.length} lines in ${path.relative(root, folder)}`);
