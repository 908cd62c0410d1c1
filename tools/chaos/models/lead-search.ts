import { sql } from "kysely";
import { expect } from "vitest";
import type { Lead } from "../../../domain/lead.ts";
import { addRows } from "../../../tests/support/rows.ts";
import { randomStream } from "../../../tests/support/seed.ts";
import type { TestServer } from "../../../tests/support/server.ts";

export type Person = { name: string | null; username?: string; notes?: string; messages?: readonly string[] };

/** Adds leads of an owner, with their messages. @returns their ids */
export async function meet(
  { deps }: TestServer,
  ownerId: string,
  people: readonly Person[],
  from: number,
): Promise<string[]> {
  const at = (index: number) => new Date(Date.parse("2026-01-01T00:00:00Z") + index * 60_000).toISOString();
  const leads = await addRows(
    deps.db,
    "leads",
    people.map(({ name, username, notes }, index) => ({
      owner_id: ownerId,
      telegram_user_id: from + index,
      name,
      username: username ?? null,
      notes: notes ?? null,
      created_at: at(index),
      stage_entered_at: at(index),
    })),
  );
  const rows = people.flatMap(({ messages = [] }, index) =>
    messages.map((text, turn) => ({
      owner_id: ownerId,
      account_user_id: 1,
      peer_user_id: from + index,
      message_id: from + index * 100 + turn,
      is_outgoing: turn % 2 === 1,
      text,
      sent_at: at(index + turn),
    })),
  );
  await deps.db.insertInto("messages").values(rows).execute();
  return leads.map(({ id }) => id);
}

/** Searches random words in every order and page, and compares the results with a model. @returns how many leads were found */
export async function runSearch(
  server: TestServer,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<number> {
  let found = 0;
  const random = randomStream(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const words = ["apple", "apricot", "banana", "груша", "грунт", "slива", "price", "pricing"];
  const made = Array.from({ length: 48 }, (_, index) => ({
    name: `${pick(["Ada", "Bea", "Cid"])} ${index % 9}`,
    notes: random() < 0.3 ? `${pick(words)} ${pick(words)}` : "",
    messages: Array.from({ length: Math.floor(random() * 4) }, () => `${pick(words)}, ${pick(words)}!`),
  }));
  const seller = await server.subscriber();
  const known = await meet(server, seller.userId, made, 9000);
  for (let round = 0; round < rounds; round += 1) {
    const terms = Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
      pick([...words, "ap", "гру", "pric", "a", "8"]),
    );
    const q = terms.join(" ");
    const holds = (text: string) =>
      terms.every((start) => text.split(/[\s,!]+/).some((word) => word !== "" && word.startsWith(start)));
    const matching = made.flatMap(({ name, notes, messages }, index) =>
      name.toLowerCase().includes(q) || [notes, ...messages].some(holds) ? [known[index]] : [],
    );
    found += matching.length;
    const isNewest = random() < 0.5;
    const offset = Math.floor(random() * matching.length);
    const { body } = await server.call<{ leads: Lead[]; total: number }>(
      "GET",
      `/api/leads?q=${encodeURIComponent(q)}&sort=${isNewest ? "-" : ""}created_at&limit=10&offset=${offset}`,
      { token: seller.token },
    );
    const ordered = isNewest ? matching.toReversed() : matching;
    expect([q, body.total, body.leads.map(({ id }) => id)]).toEqual([
      q,
      matching.length,
      ordered.slice(offset, offset + 10),
    ]);
    expect(body.leads.every(({ match }) => match !== null && match !== undefined && match.length > 0)).toBe(true);
  }
  return found;
}

/** Searches a name that more than a thousand leads have. @throws when a page does not follow the list's order */
export async function runSearchOfThousands(server: TestServer): Promise<number> {
  let total = 0;
  const seller = await server.subscriber();
  await sql`insert into leads (owner_id, telegram_user_id, name, created_at, stage_entered_at)
    select ${seller.userId}::uuid, 20000 + n, case when n % 7 = 0 then null when n % 2 = 0 then 'Mara ' || n % 40 else 'Nino ' || n end,
      timestamptz '2026-01-01' + n % 500 * interval '1 minute', now()
    from generate_series(1, 2600) n`.execute(server.deps.db);
  for (const [sort, order] of [
    ["created_at", sql`created_at`],
    ["-name", sql`lower(name) collate "C" desc nulls last`],
  ] as const) {
    const { rows } = await sql<{
      id: string;
    }>`select id from leads where owner_id = ${seller.userId}::uuid and name like 'Mara%'
      order by ${order}, created_at desc, id desc`.execute(server.deps.db);
    const ids = rows.map(({ id }) => id);
    total = ids.length;
    for (const offset of [0, 60, ids.length - 3]) {
      const { body } = await server.call<{ leads: Lead[]; total: number }>(
        "GET",
        `/api/leads?q=mara&sort=${sort}&limit=50&offset=${offset}`,
        { token: seller.token },
      );
      expect([sort, body.total, body.leads.map(({ id }) => id)]).toEqual([
        sort,
        ids.length,
        ids.slice(offset, offset + 50),
      ]);
    }
  }
  return total;
}
