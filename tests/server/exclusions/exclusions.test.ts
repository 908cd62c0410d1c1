import { sql } from "kysely";
import { expect, test } from "vitest";
import type { BulkJob } from "../../../domain/bulk.ts";
import type { ChatImport } from "../../../domain/chat-import.ts";
import type { Exclusion, ExclusionEnd } from "../../../domain/exclusion.ts";
import type { LedgerPage } from "../../../domain/ledger.ts";
import type { Stage } from "../../../domain/stage.ts";
import { HANGS_ON_LEAD } from "../../../server/exclusions/exclude.ts";
import { ownServer } from "../../support/servers.ts";
import { newSeller } from "../conversation/support.ts";
import { rowsOf } from "../../support/rows.ts";

const server = await ownServer();
const seller = await newSeller(server);

const exclude = (leadId: string) =>
  server.call<Exclusion>("POST", `/api/leads/${leadId}/exclude`, { token: seller.token, body: {} });
const restore = (person: number | string) =>
  server.call<ExclusionEnd>("DELETE", `/api/exclusions/${person}`, { token: seller.token });
const exclusions = () => seller.get<Exclusion[]>("/api/exclusions");
const listed = async () =>
  (await seller.get<{ leads: { id: string }[] }>("/api/leads?limit=1000")).leads.map(({ id }) => id);

/** Every table that holds something of a person: rows that name the lead, the Telegram user or these words. */
async function tracesOf(marks: readonly string[]): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(server.deps.db);
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)} t
      where ${sql.join(
        marks.map((mark) => sql`t::text like ${`%${mark}%`}`),
        sql` or `,
      )}`.execute(server.deps.db);
    if ((rows[0]?.n ?? 0) > 0) found[name] = rows[0]?.n ?? 0;
  }
  return found;
}

/** All that is stored of a lead and its conversation, to the last field. */
async function storedOf(leadId: string, person: number): Promise<unknown> {
  const stored: Record<string, unknown> = {};
  for (const table of ["leads", "lead_due", ...HANGS_ON_LEAD.map(({ table: name }) => name), "outbox"]) {
    const column = table === "leads" ? "id" : "lead_id";
    const { rows } = await sql<{
      rows: unknown;
    }>`select jsonb_agg(to_jsonb(t) order by t::text) as rows from ${sql.table(table)} t
      where ${sql.ref(column)} = ${leadId}::uuid`.execute(server.deps.db);
    stored[table] = rows[0]?.rows ?? null;
  }
  const { rows } = await sql<{ rows: unknown }>`select jsonb_agg(to_jsonb(m) order by id) as rows from messages m
    where peer_user_id = ${person}::bigint`.execute(server.deps.db);
  return { ...stored, messages: rows[0]?.rows };
}

const send = (body: Record<string, string>) =>
  server.call<{ job_id: string }>("POST", "/api/bulk", { token: seller.token, body });

test("every table whose rows go with a lead is kept for the undo", async () => {
  const { rows } = await sql<{ name: string }>`select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'public.leads'::regclass order by 1`.execute(server.deps.db);
  // What is found of a lead is written anew by the triggers of what comes back.
  const staying = [...HANGS_ON_LEAD.map(({ table }) => table), "lead_words"];
  // The history goes by a trigger of its own.
  expect([...rows.map(({ name }) => name), "stage_history"].toSorted()).toEqual(staying.toSorted());
});

test("an excluded person leaves every list at once, nothing more is stored, and the undo is true to the last field", async () => {
  const zoe = await seller.hear({ first_name: "Zoe", username: "zoe_w" }, "what is the price?");
  const other = await seller.hear({ first_name: "Otto" }, "hello");
  const [first] = await seller.get<Stage[]>("/api/stages");
  const step = { stage_id: first?.id ?? "", message: "Well?", delay_hours: "5" };
  await server.call("POST", "/api/followups", { token: seller.token, body: step });
  await server.call("PATCH", `/api/leads/${zoe.lead}`, { token: seller.token, body: { notes: "likes tea" } });
  await server.call("POST", `/api/leads/${zoe.lead}/automation`, {
    token: seller.token,
    body: { action: "hold", until: new Date(server.deps.clock.now() + 86_400_000).toISOString() },
  });
  await sql`select refresh_due(array[${zoe.lead}::uuid])`.execute(server.deps.db);
  const before = await storedOf(zoe.lead, zoe.user_id);
  const total = await server.deps.db.selectFrom("lead_totals").selectAll().orderBy("stage_id").execute();

  const { status, body } = await exclude(zoe.lead);
  expect([status, body]).toMatchObject([
    200,
    { telegram_user_id: String(zoe.user_id), name: "Zoe", username: "zoe_w", undo_until: expect.any(String) },
  ]);
  expect(Date.parse(body.undo_until ?? "") - Date.parse(body.excluded_at)).toBe(30_000);
  expect(await listed()).toEqual([other.lead]);
  const inbox = await seller.inbox("?view=all&limit=50");
  expect(inbox.items.map(({ lead }) => lead.id)).toEqual([other.lead]);
  for (const path of ["", "/messages", "/story", "/automation"])
    expect((await server.call("GET", `/api/leads/${zoe.lead}${path}`, { token: seller.token })).status).toBe(404);
  expect((await exclude(zoe.lead)).status).toBe(404);
  expect(await exclusions()).toEqual([body]);

  // The messages of somebody else behind them tell that these have been looked at.
  const phone = encodeURIComponent(seller.phone);
  const person = { user_id: zoe.user_id, first_name: "Zoe" };
  await server.call("POST", `/sandbox/telegram/accounts/${phone}/receive`, { body: { from: person, text: "more" } });
  const path = `/sandbox/telegram/accounts/${phone}/messages/${zoe.message_id}`;
  await server.call("PATCH", path, { body: { text: "edited away" } });
  await seller.lever("/send", { to_user_id: zoe.user_id, text: "from my phone" });
  await server.receive(seller.phone, { user_id: other.user_id, first_name: "Otto" }, "still here");
  expect(await tracesOf(["more", "edited away", "from my phone"])).toEqual({});

  expect((await restore(zoe.user_id)).body).toEqual({ lead_id: zoe.lead });
  expect(await storedOf(zoe.lead, zoe.user_id)).toEqual(before);
  expect(await server.deps.db.selectFrom("lead_totals").selectAll().orderBy("stage_id").execute()).toEqual(total);
  expect(await exclusions()).toEqual([]);
  expect((await restore(zoe.user_id)).status).toBe(404);
  await server.receive(seller.phone, person, "I am back");
  expect((await seller.messages(zoe.lead)).map(({ text }) => text)).toEqual(["I am back", "what is the price?"]);
});

test("what was to be sent stops, and goes on when the exclusion is taken back", async () => {
  const leads = await listed();
  const [staying, gone] = leads;
  const { body: job } = await send({ message: "One for all", throttle: "10" });
  await server.idle();
  const left = await server.deps.db
    .selectFrom("outbox")
    .select(["lead_id", "state"])
    .where("job_id", "=", job.job_id)
    .orderBy("id")
    .execute();
  const waiting = left.find(({ state }) => state === "pending")?.lead_id ?? "";
  expect([staying, gone]).toContain(waiting);
  const { body } = await exclude(waiting);
  await server.advance(15);
  const { items } = await seller.get<LedgerPage>(`/api/ledger?lead_id=${waiting}`);
  expect(items.map(({ lead, excerpt }) => [lead, excerpt])).toEqual([[null, null]]);
  const sent = () => seller.lever<{ text: string }[]>("/sent");
  expect((await sent()).filter(({ text }) => text === "One for all")).toHaveLength(1);
  await restore(body.telegram_user_id);
  await server.idle();
  expect((await sent()).filter(({ text }) => text === "One for all")).toHaveLength(2);
  expect((await seller.get<BulkJob>(`/api/bulk/${job.job_id}`)).status).toBe("completed");
});

test("half a minute later everything is erased, and whoever is restored then starts anew", async () => {
  const ada = await seller.hear({ first_name: "Ada Quince", username: "ada_quince" }, "my secret is a violet");
  await server.call("POST", `/api/leads/${ada.lead}/messages`, {
    token: seller.token,
    body: { text: "I keep your violet" },
    headers: { "idempotency-key": "violet" },
  });
  await seller.until(ada.lead, (all) => all.some(({ state }) => state === "sent"));
  const { body: job } = await send({ message: "Second for all", throttle: "10" });
  const waiting = () => rowsOf(server.deps.db, "outbox", { job_id: job.job_id, state: "pending" }, ["lead_id"]);
  await server.passUntil(waiting, (rows) => rows.length === 2);
  await exclude(ada.lead);
  await server.advance(31);
  const marks = [ada.lead, String(ada.user_id), "Ada Quince", "ada_quince", "violet"];
  // The list of exclusions names the person; nothing else does.
  expect(Object.keys(await tracesOf(marks))).toEqual(["exclusions"]);
  expect(await exclusions()).toMatchObject([{ telegram_user_id: String(ada.user_id), undo_until: null }]);
  expect(Object.keys((await server.deps.db.selectFrom("exclusions").selectAll().executeTakeFirst()) ?? {})).toContain(
    "kept",
  );
  await server.advance(60);
  const ended = await seller.get<BulkJob>(`/api/bulk/${job.job_id}`);
  expect(ended.status).toBe("completed");
  expect((ended.sent_count ?? 0) + (ended.failed_count ?? 0)).toBe(ended.total_targets);

  const order = { days: 30, include_contacts: true };
  await server.call("POST", "/api/telegram/import", { token: seller.token, body: order });
  await server.idle();
  expect((await seller.get<ChatImport>("/api/telegram/import")).status).toBe("completed");
  expect(Object.keys(await tracesOf(marks))).toEqual(["exclusions"]);

  expect((await restore(ada.user_id)).body).toEqual({ lead_id: null });
  expect(await tracesOf(marks)).toEqual({});
  const again = await seller.hear({ first_name: "Ada Quince", user_id: ada.user_id }, "hello anew");
  expect(again.lead).not.toBe(ada.lead);
  expect((await seller.messages(again.lead)).map(({ text }) => text)).toEqual(["hello anew"]);
});

test("a list goes on behind whoever is excluded, and says so where somebody is not any more", async () => {
  const people = [await seller.hear({ first_name: "Ana" }, "Hi"), await seller.hear({ first_name: "Bo" }, "Hi")];
  for (const { lead } of people)
    expect((await server.call("POST", `/api/leads/${lead}/exclude`, { token: seller.token, body: {} })).status).toBe(
      200,
    );
  const behind = (person: number) =>
    server.call<{ telegram_user_id: string }[] & { code: string; message: string }>(
      "GET",
      `/api/exclusions?before=${person}`,
      { token: seller.token },
    );
  const [ana = 0, bo = 0] = people.map(({ user_id }) => user_id);
  const shown = (await behind(bo)).body.map((one) => one.telegram_user_id);
  expect(shown[0]).toBe(String(ana));
  await server.call("DELETE", `/api/exclusions/${bo}`, { token: seller.token });
  const refused = await behind(bo);
  expect(refused).toMatchObject({
    status: 422,
    body: {
      code: "invalid_input",
      message: "Nobody with that number is excluded any more. Name the one before in the list.",
    },
  });
});
