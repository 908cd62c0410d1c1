import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { OutboxState } from "../../../server/db/tables/outbox.ts";
import { enqueueOne, type Outgoing } from "../../../server/outbox/enqueue.ts";
import { newLead, newStep, ownEngine } from "../../support/engine.ts";
import { changeRows, rowOf } from "../../support/rows.ts";

const engine = await ownEngine();

const put = (message: Outgoing) => engine.deps.db.transaction().execute((tx) => enqueueOne(tx, engine.deps, message));
const inAnHour = () => new Date(engine.clock.now() + 3_600_000).toISOString();

it("takes replies first, and counts none of them as a step", async () => {
  const seller = await engine.newSeller();
  const lead = await newLead(engine, seller);
  const followupId = await newStep(engine, seller, { message: "Step", order: 0 });
  const about = { ownerId: seller.id, leadId: lead.id, mediaId: null };
  await put({ ...about, kind: "manual", followupId, epoch: 1, body: "Click", request: 0, expiresAt: inAnHour() });
  await put({ ...about, kind: "reply", body: "Answer", request: randomUUID() });
  const telegram = await engine.telegramOf(seller);
  await engine.allSent(seller);
  expect(telegram.texts()).toEqual(["Answer", "Click"]);
  const known = await rowOf(engine.deps.db, "leads", { id: lead.id });
  expect(known).toMatchObject({ followup_order_sent: 1, last_manual_at: known.last_message_at });
});

it("returns the first request's row to a repeated one, whatever its step", async () => {
  const seller = await engine.newSeller();
  const lead = await newLead(engine, seller);
  const about = { ownerId: seller.id, leadId: lead.id, mediaId: null, request: "a key of the caller" };
  const reply = await put({ ...about, kind: "reply", body: "Answer" });
  expect(await put({ ...about, kind: "reply", body: "Answer" })).toEqual({ ...reply, isNew: false });
  const byHand = { ...about, kind: "manual", epoch: 1, body: "Step", expiresAt: inAnHour() } as const;
  const click = await put({ ...byHand, followupId: randomUUID() });
  expect(click).toMatchObject({ isNew: true, state: "pending" });
  expect(click.id).not.toBe(reply.id);
  expect(await put({ ...byHand, followupId: randomUUID(), epoch: 2 })).toEqual({ ...click, isNew: false });
});

it("keeps one active or sent row per step, and any number of failed ones", async () => {
  const seller = await engine.newSeller();
  const lead = await newLead(engine, seller);
  const about = { ownerId: seller.id, leadId: lead.id, followupId: randomUUID(), epoch: 1, mediaId: null };
  const click = (request: number) => put({ ...about, kind: "manual", body: "Step", request, expiresAt: inAnHour() });
  const turn = (id: string, state: OutboxState) => changeRows(engine.deps.db, "outbox", { id }, { state });
  const ids: string[] = [];
  for (const [request, state] of (["failed", "cancelled", "failed", "skipped"] as const).entries()) {
    const { id } = await click(request);
    await turn(id, state);
    ids.push(id);
  }
  const last = await click(4);
  for (const state of ["pending", "sending", "sent", "unknown"] as const) {
    await turn(last.id, state);
    await expect(click(5)).rejects.toMatchObject({ code: "23505" });
    await expect(turn(ids[0] ?? "", "unknown")).rejects.toMatchObject({ code: "23505" });
  }
});
