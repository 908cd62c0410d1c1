import { sql } from "kysely";
import { expect, it } from "vitest";
import { LEDGER_KINDS, LEDGER_STATES, type LedgerPage } from "../../../domain/ledger.ts";
import { planFollowups } from "../../../server/followups/plan.ts";
import { foldSettled } from "../../../server/outbox/index.ts";
import { createFakeTelegram, newLead, newStep, type Seller } from "../../support/engine.ts";
import { randomStream } from "../../support/seed.ts";
import { ownEngine } from "../../support/servers.ts";

const engine = await ownEngine();

const ask = async (seller: Seller, query: Record<string, string>) => {
  const answer = await engine.call(seller, "GET", `/api/ledger?${new URLSearchParams(query).toString()}`);
  return { status: answer.statusCode, body: answer.json<LedgerPage & { fields?: Record<string, string> }>() };
};

/** Every page of a list, with something happening between them. */
async function pagesOf(seller: Seller, query: Record<string, string>, between: () => Promise<unknown>) {
  const ids: string[] = [];
  for (let before: string | null | undefined; before !== null;) {
    const { body } = await ask(seller, { ...query, ...(before === undefined ? {} : { before }) });
    ids.push(...body.items.map(({ id }) => id));
    before = body.next;
    if (before !== null) await between();
  }
  return ids;
}

type Planned = { id: string; kind: string; state: string; lead_id: string | null; at: string };
const START = Date.parse("2029-01-01T00:00:00.000Z");
const HOUR_MS = 3_600_000;
const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** Messages of two leads over some weeks, in every kind and state, planned by clocks that differ by minutes. */
async function writeMessages(seller: Seller, leads: string[], count: number, seed: number): Promise<Planned[]> {
  const random = randomStream(seed);
  const rows = Array.from({ length: count }, (_, place) => ({
    place,
    kind: pick(random, LEDGER_KINDS),
    state: pick(random, LEDGER_STATES.slice(0, -1)),
    lead_id: pick(random, [...leads, null]),
    at: new Date(START + place * 3 * HOUR_MS + (random() - 0.5) * 20 * 60_000).toISOString(),
  }));
  const { rows: written } = await sql<Planned>`
    insert into outbox (owner_id, kind, priority, dedupe_key, random_id, lead_id, body, state, not_before, created_at, claimed_at, settled_at)
    select ${seller.id}::uuid, r.kind, 0, ${seller.id} || r.place, r.place + 1, r.lead_id, 'Text', r.state, r.at, r.at,
      case when r.state <> 'pending' then r.at end, case when r.state not in ('pending', 'sending') then r.at end
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (place int, kind text, state text, lead_id uuid, at timestamptz)
    order by r.place returning id, kind, state, lead_id, created_at as at`.execute(engine.deps.db);
  return written;
}

it("pages hold each message once, newest first, by every filter, while messages settle and move between the pages", async () => {
  const seller = await engine.newSeller();
  const [first, second] = [await newLead(engine, seller), await newLead(engine, seller)];
  await newLead(engine, await engine.newSeller());
  const rows = await writeMessages(seller, [first.id, second.id], 400, 7);
  const random = randomStream(11);
  let folds = 0;
  // What was settled long enough ago moves, a little more each time, and some of what waits is settled.
  const happen = async () => {
    folds += 1;
    const days = Math.floor((engine.clock.now() - START) / 86_400_000 - folds / 12);
    await foldSettled(engine.deps, days);
    await sql`update outbox set state = 'sent', settled_at = created_at where id in (
      select id from outbox where owner_id = ${seller.id}::uuid and state in ('pending', 'sending') order by md5(id::text) limit 3)`.execute(
      engine.deps.db,
    );
  };
  const time = () => new Date(START + random() * 400 * 3 * HOUR_MS).toISOString();
  for (let round = 0; round < 24; round += 1) {
    const kind = random() < 0.4 ? pick(random, LEDGER_KINDS) : undefined;
    const lead = random() < 0.4 ? pick(random, [first.id, second.id]) : undefined;
    const [from, to] = [time(), time()].toSorted();
    const [hasFrom, hasTo] = [random() < 0.5, random() < 0.5];
    const query = {
      limit: String(1 + Math.floor(random() * 40)),
      ...(kind === undefined ? {} : { kind }),
      ...(lead === undefined ? {} : { lead_id: lead }),
      ...(hasFrom ? { from } : {}),
      ...(hasTo ? { to } : {}),
    } as Record<string, string>;
    const expected = rows
      .filter((row) => kind === undefined || row.kind === kind)
      .filter((row) => lead === undefined || row.lead_id === lead)
      .filter(({ at }) => !hasFrom || Date.parse(at) >= Date.parse(from ?? ""))
      .filter(({ at }) => !hasTo || Date.parse(at) <= Date.parse(to ?? ""))
      .map(({ id }) => id)
      .toReversed();
    expect([query, await pagesOf(seller, query, happen)]).toEqual([query, expected]);
  }
  const { rows: states } = await sql<{ id: string; state: string; place: string }>`
    select id, state, 'outbox' as place from outbox where owner_id = ${seller.id}::uuid
    union all select id, state, 'ledger' from ledger where owner_id = ${seller.id}::uuid`.execute(engine.deps.db);
  expect(new Set(states.map(({ place }) => place))).toEqual(new Set(["outbox", "ledger"]));
  for (const state of LEDGER_STATES) {
    const expected = states.filter((row) => row.state === state).map(({ id }) => Number(id));
    const ids = await pagesOf(seller, { state, limit: "30" }, async () => {});
    expect([state, ids.map(Number)]).toEqual([state, expected.toSorted((a, b) => b - a)]);
  }
});

it("a line says whose message it was, which step, what became of it and who caused it, before and after it moved", async () => {
  const seller = await engine.newSeller({ automated: true });
  await engine.deps.db.insertInto("users").values({ id: seller.id, email: "", name: "Ada" }).execute();
  const stepId = await newStep(engine, seller, { message: "First word", order: 0, delayHours: 1 });
  await newStep(engine, seller, { message: "Second word", order: 1, delayHours: 24 });
  const lead = await newLead(engine, seller);
  await planFollowups(engine.deps);
  const sender = await engine.startSending(seller, createFakeTelegram(engine.clock));
  await engine.idle();
  await sender.stop();
  await sql`insert into outbox (owner_id, kind, priority, dedupe_key, random_id, lead_id, body, state, reason, not_before, created_at, settled_at)
    values (${seller.id}::uuid, 'reply', 0, ${seller.id}, 9007199254740993, gen_random_uuid(), 'Answer', 'cancelled', 'EXPIRED', now(), now(), now())`.execute(
    engine.deps.db,
  );
  const read = async () => (await ask(seller, {})).body.items;
  const before = await read();
  expect(before).toMatchObject([
    {
      kind: "reply",
      lead: null,
      step: null,
      excerpt: "Answer",
      state: "cancelled",
      reason: "EXPIRED",
      words: "Withdrawn: it could not be sent in time.",
      words_code: "withdrawn_because",
      words_params: { reason: "EXPIRED" },
      random_id: "9007199254740993",
      message_id: null,
      by: { kind: "person", name: "Ada" },
    },
    {
      kind: "followup",
      lead: { id: lead.id },
      step: { id: stepId, order: 0, preview: "First word" },
      excerpt: "First word",
      state: "sent",
      reason: null,
      words: "Sent.",
      attempts: 1,
      not_before: null,
      by: { kind: "automation", name: "Leadloom" },
    },
  ]);
  expect(before[1]?.message_id).toBeTypeOf("number");
  expect(before[1]?.settled_at).not.toBeNull();
  await foldSettled(engine.deps, -1);
  expect(await read()).toEqual(before);
});

it("refuses a filter that cannot be read, by its name", async () => {
  const seller = await engine.newSeller();
  const bad: Record<string, string>[] = [
    { kind: "letter" },
    { state: "gone" },
    { lead_id: "1" },
    { from: "yesterday" },
    { to: "2030-13-01" },
    { before: "x" },
    { limit: "0" },
    { limit: "100000" },
    { colour: "red" },
  ];
  for (const query of bad) {
    const { status, body } = await ask(seller, query);
    expect([query, status, Object.keys(body.fields ?? {})]).toEqual([query, 422, Object.keys(query)]);
  }
  const swapped = await ask(seller, { from: "2030-01-02T00:00:00Z", to: "2030-01-01T00:00:00Z" });
  expect([swapped.status, swapped.body.fields]).toEqual([422, { to: "Must not be before the start." }]);
});
