import fs from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrate } from "../../../server/db/migrate.ts";
import { ownAuthServer, signUp } from "../../support/auth-server.ts";
import type { Claims } from "../../support/as-user.ts";
import { openEmpty } from "../../support/database.ts";
import { fillAccount } from "../../support/full-account.ts";
import { grantsOf, sqlOutcome, subjectsOf, VERBS } from "../../support/row-matrix.ts";
import { setAccess } from "../../support/tenant.ts";

type Matrix = Record<string, Record<string, string>>;
const NONE = "select 42501, insert 42501, update 42501, delete 42501";
const reads = (rows: number) => `select ${rows}, insert 42501, update 42501, delete 42501`;
const noTable = "select 42501, insert 55000, update 55000, delete 55000";
/** The result of the four statements on Ann's rows: the number of rows, or the error's code. All other tables refuse everything. */
const each = (tables: string[], cells: Record<string, string>): Matrix =>
  Object.fromEntries(tables.map((table) => [table, cells]));
const own = { owner: reads(1), other: reads(0), anon: NONE };
const EXPECTED: Matrix = {
  ...each(["leads", "stages", "subscriptions", "telegram_sessions"], own),
  ...each(["due_candidates", "next_followups", "step_uses"], { owner: noTable, other: noTable, anon: noTable }),
  users: {
    owner: "select 1, insert 23502, update 1, delete 42501",
    other: "select 0, insert 42501, update 0, delete 42501",
    anon: NONE,
  },
};
const GRANTS = [
  "authenticated insert users (email, id, name)",
  "authenticated select leads (created_at, id, owner_id)",
  "authenticated select stages (id, owner_id)",
  "authenticated select subscriptions (cancel_at, cancel_at_period_end, canceled_at, created_at, current_period_end, expires_at, next_billing_at, past_due_since, plan, price_id, provider_customer_id, provider_status, provider_subscription_id, status, stripe_subscription_id, trial_ends_at, updated_at, user_id)",
  "authenticated select telegram_sessions (id, user_id)",
  "authenticated select users (created_at, email, id, name)",
  "authenticated update users (email, id, name)",
];

const server = await ownAuthServer();
const { db } = server.deps;
const [ann, bob] = [await signUp(server), await signUp(server)];
await fillAccount(server.deps, ann.userId, "Ann's");
await fillAccount(server.deps, bob.userId, "Bob's");
const subjects = await subjectsOf(db, ann.userId);

const roles = (): [string, Claims][] => [
  ["owner", { sub: ann.userId, role: "authenticated" }],
  ["other", { sub: bob.userId, role: "authenticated" }],
  ["anon", { role: "anon" }],
];

async function matrix(tables = subjects): Promise<Matrix> {
  const found: Matrix = {};
  for (const subject of tables) {
    const cells: Record<string, string> = {};
    for (const [role, claims] of roles()) {
      const outcomes: string[] = [];
      for (const verb of VERBS) outcomes.push(`${verb} ${await sqlOutcome(db, claims, verb, subject, ann.userId)}`);
      cells[role] = outcomes.join(", ");
    }
    found[subject.table] = cells;
  }
  return found;
}

test("refuses every verb on every table to all roles not listed here", async () => {
  const tables = subjects.map(({ table }) => table);
  expect(tables.length).toBeGreaterThan(60);
  expect(await matrix()).toEqual({ ...each(tables, { owner: NONE, other: NONE, anon: NONE }), ...EXPECTED });
});

test("grants no rights beyond those listed here, also with Supabase's defaults", async () => {
  const { pool, close } = await openEmpty();
  await pool.query(fs.readFileSync(new URL("../../../server/db/bootstrap.sql", import.meta.url), "utf8"));
  await pool.query("alter default privileges in schema public grant all on tables to anon, authenticated");
  await migrate(pool);
  expect(await grantsOf(pool)).toEqual(GRANTS);
  await close();
});

test("lets an owner without access read no lead, stage or account", async () => {
  await setAccess(server.deps, ann.userId, "canceled");
  const counted = subjects.filter(({ table }) => ["leads", "stages", "telegram_sessions"].includes(table));
  const owners = Object.values(await matrix(counted)).map(({ owner }) => owner?.split(",")[0]);
  await setAccess(server.deps, ann.userId, "active");
  expect(owners).toEqual(["select 0", "select 0", "select 0"]);
});

test("enables row security on every table, and invoker rights on every view", async () => {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace
      and ((relkind in ('r', 'p') and not relrowsecurity)
        or (relkind = 'v' and not coalesce(reloptions, '{}') @> array['security_invoker=true']))`.execute(db);
  expect(rows).toEqual([]);
});

test("defines no function with security definer", async () => {
  const { rows } = await sql`
    select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'auth') and p.prosecdef`.execute(db);
  expect(rows).toEqual([]);
});
