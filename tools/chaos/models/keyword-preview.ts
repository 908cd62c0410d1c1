import { sql } from "kysely";
import { expect } from "vitest";
import { previewKeywords } from "../../../server/keyword-lab/preview.ts";
import { createIntake } from "../../../server/leads/intake.ts";
import { moveLead } from "../../../server/leads/stage-move.ts";
import { createStageRules } from "../../../server/stages/rules.ts";
import { addRows } from "../../../tests/support/rows.ts";
import { randomStream } from "../../../tests/support/seed.ts";
import type { TestServer, TestUser } from "../../../tests/support/server.ts";
import { telegramMessage } from "../../../tests/support/telegram-message.ts";

const DAY_MS = 86_400_000;
const NEVER = new AbortController().signal;
let numbers = 0;

export async function sellerWithKeywords(
  server: TestServer,
  lists: string[][],
): Promise<TestUser & { stages: string[] }> {
  const user = await server.subscriber();
  await server.deps.db.deleteFrom("stages").where("owner_id", "=", user.userId).execute();
  const rows = await addRows(
    server.deps.db,
    "stages",
    lists.map((keywords, index) => ({
      owner_id: user.userId,
      name: `Stage ${index + 1}`,
      keywords,
      order: index + 1,
    })),
  );
  return { ...user, stages: rows.toSorted((a, b) => a.order - b.order).map(({ id }) => id) };
}

const written = (ownerId: string, peer: number, text: string, at: number, messageId = (numbers += 1)) =>
  telegramMessage({
    userId: ownerId,
    peer: { id: String(peer), name: `Person ${peer}` },
    messageId,
    text,
    date: new Date(at).toISOString(),
  });

const draftsOf = (ids: (string | undefined)[], lists: string[][]) =>
  lists.map((keywords, index) => {
    const id = ids[index];
    return { ...(id === undefined ? {} : { id }), name: `Stage ${index + 1}`, keywords, order: index + 1 };
  });

/**
 * Plays random messages and manual moves under the saved and under the edited keywords, and compares the preview with the results.
 * @returns how many messages the edit affects
 */
export async function runKeywordPreview(server: TestServer, seed: number): Promise<number> {
  const intake = createIntake(server.deps, createStageRules(server.deps.db, server.deps.bus));
  const vocabulary = ["price", "prices", "deposit", "paid", "unpaid", "hello", "цена", "цены", "ok", "well", "look"];
  const saved = [["hello"], ["price", "цена"], ['"deposit"', "paid"]];
  const edited = [["hello"], ["price", '"цены"', "look"], ['"paid"', "deposit"]];
  const [ann, bob] = [await sellerWithKeywords(server, saved), await sellerWithKeywords(server, edited)];
  const random = randomStream(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const { db } = server.deps;
  const leadOf = (ownerId: string, peer: number) =>
    db
      .selectFrom("leads")
      .select(["id", "stage_id"])
      .where("owner_id", "=", ownerId)
      .where("telegram_user_id", "=", String(peer))
      .executeTakeFirst();
  let at = Math.floor((server.deps.clock.now() - 80 * DAY_MS) / 1000) * 1000;
  const sent: { peer: number; text: string; messageId: number; at: number }[] = [];
  for (let round = 0; round < 12; round += 1) {
    const batch = Array.from({ length: 25 }, () => {
      // Several messages can have the same second.
      if (random() < 0.7) at += 1000 * Math.ceil(random() * 40_000);
      numbers += 1;
      const text = Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(vocabulary)).join(" ");
      return { peer: 700 + Math.floor(random() * 25), text, messageId: numbers, at };
    });
    sent.push(...batch);
    for (const { userId } of [ann, bob])
      await intake.record(
        userId,
        batch.map((one) => written(userId, one.peer, one.text, one.at, one.messageId)),
      );
    at += 5_000;
    for (let moved = 0; moved < 3; moved += 1) {
      const [peer, stage] = [700 + Math.floor(random() * 25), Math.floor(random() * 3)];
      // A move that changes nothing leaves no history, so the preview cannot replay it.
      if ((await leadOf(ann.userId, peer))?.stage_id === ann.stages[stage]) continue;
      for (const { userId, stages } of [ann, bob]) {
        const lead = await leadOf(userId, peer);
        if (lead === undefined) continue;
        const move = {
          ownerId: userId,
          leadId: lead.id,
          toStageId: stages[stage] ?? "",
          at: new Date(at).toISOString(),
        };
        await db.transaction().execute((tx) => moveLead(tx, { ...move, by: { reason: "manual" } }));
      }
    }
    at += 5_000;
  }
  const preview = await previewKeywords(
    server.deps,
    ann.userId,
    { stages: draftsOf(ann.stages, edited), days: 90 },
    NEVER,
  );

  type Move = { peer: string; order: number; reason: string; message_id: number | null; at: string };
  const movesOf = async ({ userId }: TestUser) => {
    const { rows } = await sql<Move>`
      select l.telegram_user_id as peer, s."order", h.reason, h.message_id, h.at from stage_history h
      join leads l on l.id = h.lead_id join stages s on s.id = h.to_stage_id where h.owner_id = ${userId}::uuid order by h.id`.execute(
      db,
    );
    return rows;
  };
  const [annMoves, bobMoves] = [await movesOf(ann), await movesOf(bob)];
  const byWord = (moves: Move[]) => moves.filter(({ reason }) => reason === "keyword");
  expect([preview.scanned, preview.before, preview.after]).toEqual([
    sent.length,
    byWord(annMoves).length,
    byWord(bobMoves).length,
  ]);
  /** Returns a lead's stage after a message; the history contains moves in the order they were made. */
  const stageAfter = (moves: Move[], message: (typeof sent)[number]) =>
    moves.findLast(
      ({ peer, reason, message_id: id, at: movedAt }) =>
        peer === String(message.peer) &&
        (reason === "manual" ? Date.parse(movedAt) <= message.at : (id ?? 0) <= message.messageId),
    )?.order;
  const movedBy = (moves: Move[], { messageId }: { messageId: number }) =>
    byWord(moves).find(({ message_id: id }) => id === messageId)?.order;
  const expected = sent
    .filter(
      (one) =>
        movedBy(annMoves, one) !== movedBy(bobMoves, one) && stageAfter(annMoves, one) !== stageAfter(bobMoves, one),
    )
    .map((one) => [
      one.text,
      ann.stages[(stageAfter(annMoves, one) ?? 0) - 1],
      ann.stages[(stageAfter(bobMoves, one) ?? 0) - 1],
    ]);
  expect(preview.changes.map(({ excerpt, before, after }) => [excerpt, before, after])).toEqual(expected.toReversed());
  expect(preview.changes_total).toBe(expected.length);
  for (const { excerpt, matched, keyword, name } of preview.changes) {
    expect(excerpt.slice(matched?.start, (matched?.start ?? 0) + (matched?.length ?? 0))).toBe(keyword);
    expect(name).toMatch(/^Person 7\d\d$/);
  }
  const same = await previewKeywords(server.deps, ann.userId, { stages: draftsOf(ann.stages, saved), days: 90 }, NEVER);
  expect([same.before, same.after, same.changes]).toEqual([preview.before, preview.before, []]);
  const newest = await previewKeywords(
    server.deps,
    ann.userId,
    { stages: draftsOf(ann.stages, saved), days: 90 },
    NEVER,
    40,
  );
  expect([newest.scanned >= 40 && newest.scanned < 50, (newest.since ?? "") > (same.since ?? "")]).toEqual([
    true,
    true,
  ]);
  return expected.length;
}
