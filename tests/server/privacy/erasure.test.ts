import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createCredentials } from "../../../server/auth/index.ts";
import { finishErasures } from "../../../server/privacy/leaving.ts";
import { eraseForgotten } from "../../../server/privacy/term.ts";
import { CASCADED_TABLES, ACCOUNT_TABLES, LEAD_TABLES } from "../../../server/privacy/batches.ts";
import { ownAuthServer, signUp } from "../../support/auth-server.ts";
import { fillAccount, logOutTelegram } from "../../support/full-account.ts";
import { addRow, changeRows, rowOf, rowsOf } from "../../support/rows.ts";

const DAY_S = 86_400;

const server = await ownAuthServer();
const { db } = server.deps;

const count = async (table: string, userId: string, of = "owner_id"): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)} where ${sql.ref(of)} = ${userId}::uuid`.execute(db);
  return rows[0]?.n ?? 0;
};
const addLeads = (userId: string, leads: number) =>
  sql`with l as (
      insert into leads (owner_id, telegram_user_id, created_at, stage_entered_at)
      select ${userId}::uuid, 900000 + n, now(), now() from generate_series(1, ${leads}::int) n returning id, owner_id
    ) insert into stage_history (owner_id, lead_id, reason, epoch, at) select owner_id, id, 'entered', 1, now() from l`.execute(
    db,
  );

/** These tables are written in bulk, so they have no foreign key to their owner, which would be checked for each row. */
const WITHOUT_REFERENCE = "lead_batch_targets lead_events lead_import_rows stage_history webhook_deliveries".split(" ");

it("knows for every table whether it is erased in batches or with the account", async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct c.conrelid::regclass::text as name from pg_constraint c
    where c.contype = 'f' and c.confrelid = 'auth.users'::regclass and c.connamespace = 'public'::regnamespace order by 1`.execute(
    db,
  );
  const known = [
    ...ACCOUNT_TABLES.filter(({ of }) => of !== "account_id").map(({ table }) => table),
    ...CASCADED_TABLES,
  ];
  expect(known.toSorted()).toEqual([...WITHOUT_REFERENCE, ...rows.map(({ name }) => name)].toSorted());
});

describe("a closed account", () => {
  it("is inaccessible at once, and erased in batches, also after a restart", async () => {
    const [ann, bob] = [await signUp(server), await signUp(server)];
    await fillAccount(server.deps, ann.userId, "Ann's");
    const bobs = await fillAccount(server.deps, bob.userId, "Bob's");
    await addLeads(ann.userId, 2_499);
    await logOutTelegram(db, ann.userId);
    const credentials = createCredentials(server.deps);
    await credentials.close(ann.userId);
    await credentials.close(ann.userId);
    await expect(server.authenticate(`Bearer ${ann.session.access_token}`)).rejects.toMatchObject({ status: 401 });
    expect((await signUp(server, ann.email)).email).toBe(ann.email);
    expect(await count("leads", ann.userId)).toBe(2_500);

    const left: number[] = [];
    for (let rounds = 0; rounds < 5; rounds += 1) {
      await finishErasures(server.deps, credentials, { forMs: 0 });
      left.push(await count("leads", ann.userId));
    }
    expect(left).toEqual([2_500, 2_500, 1_500, 500, 0]);
    expect(await count("messages", ann.userId)).toBe(1);
    await Promise.all([finishErasures(server.deps, credentials), finishErasures(server.deps, credentials)]);
    await finishErasures(server.deps, credentials);
    expect(await count("account_erasures", ann.userId, "user_id")).toBe(0);
    expect(await count("auth.users", ann.userId, "id")).toBe(0);
    expect(await rowsOf(db, "audit_log", { user_id: ann.userId, action: "account_deleted" })).toHaveLength(1);
    for (const table of ["leads", "ledger"]) expect(await count(table, bob.userId)).toBe(bobs[table]);
  });

  it("keeps its Telegram keys until a worker has logged out, for an hour at most", async () => {
    const [ann, bob] = [await signUp(server), await signUp(server)];
    const credentials = createCredentials(server.deps);
    for (const { userId } of [ann, bob]) {
      await fillAccount(server.deps, userId, `${userId}'s`);
      await changeRows(db, "telegram_sessions", { user_id: userId }, { state: "disconnected" });
      await credentials.close(userId);
    }
    const users = async () => [
      await count("auth.users", ann.userId, "id"),
      await count("auth.users", bob.userId, "id"),
    ];
    await finishErasures(server.deps, credentials);
    expect([await count("leads", ann.userId), await users()]).toEqual([0, [1, 1]]);
    await logOutTelegram(db, ann.userId);
    await finishErasures(server.deps, credentials);
    expect(await users()).toEqual([0, 1]);
    server.clock.advance(3_600);
    await finishErasures(server.deps, credentials);
    expect(await users()).toEqual([0, 0]);
  });

  it("that cannot be erased now does not block others, and is retried", async () => {
    const [ann, bob] = [await signUp(server), await signUp(server)];
    const credentials = createCredentials(server.deps);
    await credentials.close(ann.userId);
    await credentials.close(bob.userId);
    const erase = async (userId: string) => {
      if (userId === ann.userId) throw new Error("the sign-in is away");
      await credentials.erase(userId);
    };
    await finishErasures(server.deps, { erase });
    expect([await count("auth.users", ann.userId, "id"), await count("auth.users", bob.userId, "id")]).toEqual([1, 0]);
    await finishErasures(server.deps, credentials);
    expect(await count("auth.users", ann.userId, "id")).toBe(0);
  });
});

describe("personal data", () => {
  const setStatus = (user_id: string, status: string) => changeRows(db, "subscriptions", { user_id }, { status });

  it("is erased a year after access ended; the user's own settings stay", async () => {
    const [gone, back, paying] = [await signUp(server), await signUp(server), await signUp(server)];
    for (const { userId } of [gone, back, paying]) await fillAccount(server.deps, userId, `${userId}'s`);
    for (const { userId } of [gone, back]) await setStatus(userId, "canceled");
    await setStatus(paying.userId, "active");
    const open = { owner_id: gone.userId, message: "News", throttle_ms: 300, total_targets: 3, sent_count: 1 };
    await addRow(db, "bulk_jobs", { ...open, created_at: server.clock.iso() });
    await eraseForgotten(server.deps);
    server.clock.advance(300 * DAY_S);
    await setStatus(back.userId, "active");
    await eraseForgotten(server.deps);
    await setStatus(back.userId, "canceled");
    server.clock.advance(64 * DAY_S);
    await eraseForgotten(server.deps);
    expect(await count("leads", gone.userId)).toBe(1);
    server.clock.advance(2 * DAY_S);
    await eraseForgotten(server.deps);
    const tables = LEAD_TABLES.filter(({ of }) => of === "owner_id").map(({ table }) => table);
    expect(await Promise.all(tables.map((table) => count(table, gone.userId)))).toEqual(tables.map(() => 0));
    for (const table of ["stages", "followups", "reminders", "snippets"])
      expect([table, await count(table, gone.userId)]).toEqual([table, 1]);
    for (const { userId } of [back, paying])
      for (const table of ["leads", "messages", "ledger"])
        expect([table, await count(table, userId)]).toEqual([table, 1]);
    const job = await rowOf(db, "bulk_jobs", { owner_id: gone.userId, total_targets: 3 });
    expect(job).toMatchObject({ status: "failed", failed_count: 2 });
    const peers = await sql`select from telegram_peers p join telegram_sessions s on s.id = p.account_id
      where s.user_id = ${gone.userId}::uuid`.execute(db);
    expect(peers.rows).toEqual([]);
    const entries = await rowsOf(db, "audit_log", { action: "people_erased" }, ["user_id"]);
    expect(entries.map(({ user_id }) => user_id)).toEqual([gone.userId]);
  });
});
