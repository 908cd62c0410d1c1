import { sql } from "kysely";
import { expect } from "vitest";
import { LEDGER_KINDS, LEDGER_STATES, type LedgerPage } from "../../../domain/ledger.ts";
import { foldSettled } from "../../../server/outbox/fold.ts";
import { newLead, type Seller, type TestEngine } from "../../../tests/support/engine.ts";
import { randomStream } from "../../../tests/support/seed.ts";

/** Reads a page of the seller's ledger. */
export const readLedgerPage = (engine: TestEngine, seller: Seller, query: Record<string, string>) =>
  engine.call<LedgerPage & { fields?: Record<string, string> }>(
    seller,
    "GET",
    `/ledger?${new URLSearchParams(query).toString()}`,
  );

/** Returns every page of a list, with changes between the requests. */
async function pagesOf(
  engine: TestEngine,
  seller: Seller,
  query: Record<string, string>,
  between: () => Promise<unknown>,
) {
  const ids: string[] = [];
  for (let before: string | null | undefined; before !== null;) {
    const { body } = await readLedgerPage(engine, seller, { ...query, ...(before === undefined ? {} : { before }) });
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

/** Writes messages of two leads over some weeks, of every kind and state, planned by clocks that differ by minutes. */
async function writeMessages(
  engine: TestEngine,
  seller: Seller,
  leads: string[],
  count: number,
  seed: number,
): Promise<Planned[]> {
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

/**
 * Reads the ledger page by page with random filters while messages settle and move, and compares the pages with the messages.
 * @returns the messages of the outbox and of the ledger
 */
export async function runLedgerPages(engine: TestEngine, { rounds, seed }: { rounds: number; seed: number }) {
  const seller = await engine.newSeller();
  const [first, second] = [await newLead(engine, seller), await newLead(engine, seller)];
  await newLead(engine, await engine.newSeller());
  const rows = await writeMessages(engine, seller, [first.id, second.id], 400, seed);
  const random = randomStream(seed);
  let folds = 0;
  // Moves messages settled long enough ago, a few more each time, and settles some of the pending ones.
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
  for (let round = 0; round < rounds; round += 1) {
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
    expect([query, await pagesOf(engine, seller, query, happen)]).toEqual([query, expected]);
  }
  const { rows: states } = await sql<{ id: string; state: string; place: string }>`
    select id, state, 'outbox' as place from outbox where owner_id = ${seller.id}::uuid
    union all select id, state, 'ledger' from ledger where owner_id = ${seller.id}::uuid`.execute(engine.deps.db);
  for (const state of LEDGER_STATES) {
    const expected = states.filter((row) => row.state === state).map(({ id }) => Number(id));
    const ids = await pagesOf(engine, seller, { state, limit: "30" }, async () => {});
    expect([state, ids.map(Number)]).toEqual([state, expected.toSorted((a, b) => b - a)]);
  }
  return Object.groupBy(states, ({ place }) => place);
}
