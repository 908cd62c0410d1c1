import type { Db } from "../../server/db/index.ts";
import { addRows } from "./rows.ts";

export type SeededLead = {
  id: string;
  name: string;
  username: string | null;
  stage_id: string | null;
  created_at: string;
  followup_order_sent: number;
  last_user_message_at: string | null;
  last_message_at: string | null;
};

/** Returns a reproducible stream of numbers in [0, 1): the same seed gives the same data (mulberry32). */
export function randomStream(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const names = ["Ann Lee", "anna schmidt", "Bob 100%", "Émile Zola", "Иван Петров", "O'Neil_Jr", "Zoë", "李雷"];

/** Inserts leads of an owner, as incoming messages would have created them. */
export async function seedLeads(db: Db, ownerId: string, stageIds: readonly string[], count: number, seed = 1) {
  const random = randomStream(seed);
  const start = Date.parse("2026-01-01T00:00:00Z");
  const time = (offsetHours: number) => new Date(start + Math.floor(offsetHours * 3_600_000)).toISOString();
  const rows = Array.from({ length: count }, (_, index) => {
    const created = random() * 24 * 60;
    const spoke = random() < 0.8 ? time(created + random() * 48) : null;
    const last = random() < 0.9 ? time(created + random() * 96) : spoke;
    return {
      owner_id: ownerId,
      telegram_user_id: BigInt(seed * 1_000_000 + index),
      name: `${names[Math.floor(random() * names.length)]} ${index % 7}`,
      username: random() < 0.7 ? `user_${index % 50}` : null,
      stage_id: stageIds[Math.floor(random() * stageIds.length)] ?? null,
      created_at: time(created),
      stage_entered_at: time(created),
      followup_order_sent: Math.floor(random() * 4),
      last_user_message_at: spoke,
      last_message_at: last,
    };
  });
  const seeded: unknown[] = [];
  for (let at = 0; at < rows.length; at += 1000)
    seeded.push(...(await addRows(db, "leads", rows.slice(at, at + 1000))));
  return seeded as SeededLead[];
}
