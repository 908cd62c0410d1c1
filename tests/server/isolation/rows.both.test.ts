import fs from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp, startAuthServer } from "../../support/auth-server.ts";
import type { Claims } from "../../support/as-user.ts";
import { fillAccount } from "../../support/full-account.ts";
import { grantsOf, sqlOutcome, subjectsOf, VERBS, type Subject } from "../../support/row-matrix.ts";
import { changeRows } from "../../support/rows.ts";

type Expected = { rows: Record<string, Record<string, string>>; grants: string[] };
const expectedFile = new URL("./rows.expected.json", import.meta.url);
const expected = JSON.parse(fs.readFileSync(expectedFile, "utf8")) as Expected;

const server = await startAuthServer();
let ann: Awaited<ReturnType<typeof signUp>>;
let bob: Awaited<ReturnType<typeof signUp>>;
let subjects: Subject[];

beforeAll(async () => {
  [ann, bob] = [await signUp(server), await signUp(server)];
  await fillAccount(server.deps, ann.userId, "Ann's");
  await fillAccount(server.deps, bob.userId, "Bob's");
  subjects = await subjectsOf(server.deps.db, ann.userId);
});
afterAll(() => server.stop());

const roles = (): [string, Claims][] => [
  ["owner", { sub: ann.userId, role: "authenticated" }],
  ["other", { sub: bob.userId, role: "authenticated" }],
  ["anon", { role: "anon" }],
];

/** For each table and role what the four verbs give on Ann's rows: rows, or the error's code. */
async function matrix(tables = subjects): Promise<Expected["rows"]> {
  const found: Expected["rows"] = {};
  for (const subject of tables) {
    const cells: Record<string, string> = {};
    for (const [role, claims] of roles()) {
      const outcomes: string[] = [];
      for (const verb of VERBS)
        outcomes.push(`${verb} ${await sqlOutcome(server.deps.db, claims, verb, subject, ann.userId)}`);
      cells[role] = outcomes.join(", ");
    }
    found[subject.table] = cells;
  }
  return found;
}

test("every table, verb and role ends as the expected file says", async () => {
  expect(await matrix()).toEqual(expected.rows);
});

test("nobody has a right on a column that the expected file does not name", async () => {
  expect(await grantsOf(server.deps.db)).toEqual(expected.grants);
});

test("without access its owner reads no lead, stage or connected account", async () => {
  await changeRows(server.deps.db, "subscriptions", { user_id: ann.userId }, { status: "canceled" });
  const counted = subjects.filter(({ table }) => ["leads", "stages", "telegram_sessions"].includes(table));
  const owners = Object.values(await matrix(counted)).map(({ owner }) => owner?.split(",")[0]);
  await changeRows(server.deps.db, "subscriptions", { user_id: ann.userId }, { status: "active" });
  expect(owners).toEqual(["select 0", "select 0", "select 0"]);
});

test("row security is on for every table, and every view looks with its caller's rights", async () => {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace
      and ((relkind in ('r', 'p') and not relrowsecurity)
        or (relkind = 'v' and not coalesce(reloptions, '{}') @> array['security_invoker=true']))`.execute(
    server.deps.db,
  );
  expect(rows).toEqual([]);
});

test("no function of ours runs with its owner's rights", async () => {
  const { rows } = await sql`
    select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'auth') and p.prosecdef`.execute(server.deps.db);
  expect(rows).toEqual([]);
});

test("a policy that forgets its owner is caught", async () => {
  const leads = subjects.filter(({ table }) => table === "leads");
  await sql`create policy forgetful on public.leads for select to authenticated using (true)`.execute(server.deps.db);
  const withIt = await matrix(leads);
  await sql`drop policy forgetful on public.leads`.execute(server.deps.db);
  expect(withIt["leads"]?.["other"]).toBe(expected.rows["leads"]?.["other"]?.replace("select 0", "select 1"));
  expect(await matrix(leads)).toEqual({ leads: expected.rows["leads"] });
});
