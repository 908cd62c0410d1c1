import { sql } from "kysely";
import { expect } from "vitest";
import type { FollowupResult } from "../../../domain/followup.ts";
import { foldSettled } from "../../../server/outbox/fold.ts";
import { newLead, newStep, type Seller, type TestEngine } from "../../../tests/support/engine.ts";
import { addRows } from "../../../tests/support/rows.ts";
import { randomStream } from "../../../tests/support/seed.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const iso = (at: number) => new Date(at).toISOString();

/** Reads the results of a seller's steps through the API. */
export const readResults = (engine: TestEngine, seller: Seller, query: Record<string, string> = {}) =>
  engine.call<FollowupResult[]>(seller, "GET", `/followups/results?${new URLSearchParams(query).toString()}`);

/** An event in the history of a lead. */
type Happening = { at: number } & (
  | { type: "step"; followupId: string; epoch: number }
  | { type: "theirs" }
  | { type: "ours" }
  | { type: "move"; reason: "keyword" | "manual" | "stage_deleted"; from: number; to: number; epoch: number }
);
type Life = { happenings: Happening[]; optedOutAt: number | null };

function liveOn(random: () => number, steps: string[], start: number, stages: number): Life {
  const happenings: Happening[] = [];
  let [at, epoch, stage] = [start, 1, 0];
  for (let count = 4 + Math.floor(random() * 14); count > 0; count -= 1) {
    at += MINUTE_MS + Math.floor(random() ** 3 * 4 * DAY_MS);
    const dice = random();
    const followupId = steps[Math.floor(random() * steps.length)] ?? "";
    const isUsed = happenings.some(
      (one) => one.type === "step" && one.epoch === epoch && one.followupId === followupId,
    );
    // A step is sent to a lead once per stage entry.
    if (dice < 0.4 && !isUsed) happenings.push({ at, type: "step", followupId, epoch });
    else if (dice < 0.7) happenings.push({ at, type: "theirs" });
    else if (dice < 0.8) happenings.push({ at, type: "ours" });
    else {
      const to = Math.floor(random() * stages);
      const reason = to > stage && random() < 0.5 ? "keyword" : random() < 0.8 ? "manual" : "stage_deleted";
      epoch += 1;
      happenings.push({ at, type: "move", reason, from: stage, to, epoch });
      stage = to;
    }
  }
  const optedOutAt = random() < 0.4 ? start + Math.floor(random() * (at - start + DAY_MS)) : null;
  return { happenings, optedOutAt };
}

/** Counts the results life by life. */
function countNaively(lives: Life[], steps: string[], from: number, to: number) {
  const counted = new Map(
    steps.map((id) => [id, { sent: 0, day: 0, three: 0, moved: 0, out: 0, minutes: [] as number[] }]),
  );
  for (const { happenings, optedOutAt } of lives) {
    happenings.forEach((sent, place) => {
      const figures = sent.type === "step" ? counted.get(sent.followupId) : undefined;
      if (sent.type !== "step" || figures === undefined || sent.at < from || sent.at > to) return;
      figures.sent += 1;
      const later = happenings.slice(place + 1);
      const next = later.find(({ type }) => type !== "move");
      const minutes = next?.type === "theirs" ? (next.at - sent.at) / MINUTE_MS : Infinity;
      if (minutes <= 1_440) figures.day += 1;
      if (minutes <= 4_320) {
        figures.three += 1;
        figures.minutes.push(minutes);
      }
      const leaving = later.findIndex(({ type }) => type === "move");
      const left = later[leaving];
      const isLast = !later.slice(0, Math.max(leaving, 0)).some(({ type }) => type === "step");
      if (
        left?.type === "move" &&
        isLast &&
        (left.reason === "keyword" || (left.reason === "manual" && left.to > left.from))
      )
        figures.moved += 1;
      const nextOfOurs = later.find(({ type }) => type === "step" || type === "ours");
      if (optedOutAt !== null && optedOutAt >= sent.at && optedOutAt < (nextOfOurs?.at ?? Infinity)) figures.out += 1;
    });
  }
  return counted;
}

const median = (values: number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
};

/** Stores the events as the product would have. */
export async function writeLives(engine: TestEngine, seller: Seller, stageIds: string[], lives: Life[]): Promise<void> {
  const { db } = engine.deps;
  const rows: Record<string, unknown>[] = [];
  for (const { happenings, optedOutAt } of lives) {
    const lead = await newLead(engine, seller);
    const out = optedOutAt === null ? null : iso(optedOutAt);
    await sql`insert into lead_events (owner_id, lead_id, type, by_kind, at)
      select ${seller.id}::uuid, ${lead.id}::uuid, 'opted_out', 'automation', ${out}::timestamptz where ${out}::text is not null`.execute(
      db,
    );
    for (const { at, ...happening } of happenings) {
      const place = rows.length + 1;
      const stages =
        happening.type === "move" ? { from_stage: stageIds[happening.from], to_stage: stageIds[happening.to] } : {};
      rows.push({ ...happening, ...stages, place, at: iso(at), lead_id: lead.id, peer: lead.telegramUserId });
    }
  }
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::text::json) as r (place int, type text, at timestamptz, lead_id uuid, peer bigint,
    "followupId" uuid, epoch int, reason text, from_stage uuid, to_stage uuid)`;
  await sql`insert into stage_history (owner_id, lead_id, from_stage_id, to_stage_id, reason, epoch, at)
    select ${seller.id}::uuid, lead_id, from_stage, to_stage, reason, epoch, at from ${given} where type = 'move'`.execute(
    db,
  );
  await sql`insert into outbox (owner_id, kind, priority, dedupe_key, random_id, lead_id, followup_id, epoch, body, state, not_before, created_at, settled_at)
    select ${seller.id}::uuid, case when place % 3 = 0 then 'manual' else 'followup' end, 0, ${seller.id} || place, place, lead_id, "followupId", epoch,
      'Step', 'sent', at, at, at from ${given} where type = 'step'`.execute(db);
  await sql`insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, text, sent_at, source, state, outbox_id)
    select ${seller.id}::uuid, 1, peer, place, type <> 'theirs', 'Text', at, case type when 'theirs' then 'them' when 'step' then 'followup' else 'telegram' end,
      case type when 'theirs' then 'received' else 'sent' end,
      (select id from outbox o where o.dedupe_key = ${seller.id} || place and o.owner_id = ${seller.id}::uuid)
    from ${given} where type <> 'move'`.execute(db);
}

/**
 * Generates events of leads, and compares the figures of each step with a count: before and after they are folded, and after steps are
 * moved and deleted. @returns the figures of the whole period
 */
export async function runResults(engine: TestEngine, { lives, seed }: { lives: number; seed: number }) {
  const seller = await engine.newSeller();
  const { db } = engine.deps;
  const others = await addRows(
    db,
    "stages",
    [2, 3].map((order) => ({ owner_id: seller.id, name: `Stage ${order}`, order })),
  );
  const stageIds = [seller.stageId, ...others.map(({ id }) => id)];
  const steps: string[] = [];
  for (let order = 0; order < 4; order += 1)
    steps.push(await newStep(engine, seller, { message: `Step ${order}`, order }));
  const random = randomStream(seed);
  const start = engine.clock.now() - 80 * DAY_MS;
  const lived = Array.from({ length: lives }, () =>
    liveOn(random, steps, start + Math.floor(random() * 30 * DAY_MS), stageIds.length),
  );
  await writeLives(engine, seller, stageIds, lived);
  const agrees = async (from: number, to: number) => {
    const { body } = await readResults(engine, seller, { from: iso(from), to: iso(to) });
    const counted = countNaively(lived, steps, from, to);
    for (const [followupId, { sent, day, three, moved, out, minutes }] of counted) {
      const found = body.find((result) => result.followup_id === followupId);
      const middle = median(minutes);
      expect(found).toEqual({
        followup_id: followupId,
        sent,
        answered_24h: day,
        answered_72h: three,
        moved_on: moved,
        opted_out: out,
        median_answer_minutes: middle === null ? null : Math.round(middle * 10) / 10,
      });
    }
    return body;
  };
  const whole = await agrees(start, engine.clock.now());
  // Every kind of outcome must occur.
  for (const figure of ["sent", "answered_24h", "answered_72h", "moved_on", "opted_out"] as const)
    expect(whole.reduce((sum, result) => sum + result[figure], 0)).toBeGreaterThan(lives / 12);
  expect(whole.map(({ followup_id: id }) => id)).toEqual(steps);
  for (let round = 0; round < 6; round += 1) {
    const from = start + random() * 60 * DAY_MS;
    await agrees(from, from + random() * 20 * DAY_MS);
  }
  await foldSettled(engine.deps, 45);
  expect(await agrees(start, engine.clock.now())).toEqual(whole);
  // Deletes the first step, reorders the others, moves one to another stage, and changes all texts.
  await sql`delete from followups where id = ${steps[0]}::uuid`.execute(db);
  await sql`update followups set followup_order = 10 - followup_order, message = 'New text',
    stage_id = case when id = ${steps[1]}::uuid then ${stageIds[1]}::uuid else stage_id end where owner_id = ${seller.id}::uuid`.execute(
    db,
  );
  const edited = await agrees(start, engine.clock.now());
  expect(edited.map(({ followup_id: id }) => id)).toEqual([steps[3], steps[2], steps[1], steps[0]]);
  return whole;
}
