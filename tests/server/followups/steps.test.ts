import { describe, expect, it } from "vitest";
import type { Followup } from "../../../domain/followup.ts";
import { newLead, type Seller } from "../../support/engine.ts";
import { form } from "../../support/form.ts";
import { ownEngine } from "../../support/servers.ts";

const engine = await ownEngine();

const as = (seller: Seller) => ({ authorization: `Bearer ${seller.id}` });
const post = (seller: Seller, fields: Record<string, string>) => {
  const { payload, headers } = form({ stage_id: seller.stageId, message: "Hello", delay_hours: "24", ...fields });
  return engine.app.inject({ method: "POST", url: "/api/followups", headers: { ...headers, ...as(seller) }, payload });
};
const change = (seller: Seller, id: string, patch: object) =>
  engine.app.inject({ method: "PATCH", url: `/api/followups/${id}`, headers: as(seller), payload: patch });
const remove = (seller: Seller, id: string) =>
  engine.app.inject({ method: "DELETE", url: `/api/followups/${id}`, headers: as(seller) });
const list = async (seller: Seller) =>
  (await engine.app.inject({ method: "GET", url: "/api/followups", headers: as(seller) })).json<Followup[]>();
const places = async (seller: Seller) =>
  (await list(seller)).map(({ message, followup_order: order }) => `${order} ${message}`);

async function sellerWithSteps(...messages: string[]) {
  const seller = await engine.newSeller();
  const ids: string[] = [];
  for (const message of messages) ids.push((await post(seller, { message })).json<Followup>().id);
  return { seller, ids };
}

describe("the steps of a stage", () => {
  it("are answered as the contract says", async () => {
    const seller = await engine.newSeller();
    const answer = await post(seller, { followup_order: "0", delay_hours: "48" });
    expect(answer.statusCode).toBe(200);
    const created = answer.json<Followup>();
    expect(created).toEqual({
      id: created.id,
      stage_id: seller.stageId,
      message: "Hello",
      followup_order: 0,
      delay_hours: 48,
      media_type: null,
      media_url: null,
      media_base64: null,
    });
    expect(await list(seller)).toEqual([created]);
  });

  it("go to the end without an order, or with one too far, and wait 24 hours without a delay", async () => {
    const { seller } = await sellerWithSteps("A");
    expect((await post(seller, { message: "B", followup_order: "9" })).json<Followup>().followup_order).toBe(1);
    expect((await post(seller, { message: "C", delay_hours: "" })).json<Followup>()).toMatchObject({
      followup_order: 2,
      delay_hours: 24,
    });
    expect(
      (await post(seller, { message: "D", delay_hours: "null", followup_order: "" })).json<Followup>(),
    ).toMatchObject({ followup_order: 3, delay_hours: 24 });
    const json = { stage_id: seller.stageId, message: "E", delay_hours: null, followup_order: null };
    const answer = await engine.app.inject({
      method: "POST",
      url: "/api/followups",
      headers: as(seller),
      payload: json,
    });
    expect(answer.json<Followup>()).toMatchObject({ followup_order: 4, delay_hours: 24 });
    expect(await places(seller)).toEqual(["0 A", "1 B", "2 C", "3 D", "4 E"]);
  });

  it("may not share an order: 409 in the seller's words", async () => {
    const { seller, ids } = await sellerWithSteps("A", "B");
    const words = { code: "duplicate_order", message: "This stage already has a follow-up with that order." };
    const added = await post(seller, { followup_order: "0" });
    const moved = await change(seller, ids[1]!, { followup_order: 0 });
    expect([added.statusCode, moved.statusCode]).toEqual([409, 409]);
    expect([added.json(), moved.json()]).toEqual([words, words]);
  });

  it("move up when one before them is deleted, and so do the leads that had passed it", async () => {
    const { seller, ids } = await sellerWithSteps("A", "B", "C");
    const cursors = [];
    for (const sent of [0, 1, 2, 3]) {
      const lead = await newLead(engine, seller);
      await engine.deps.db.updateTable("leads").set({ followup_order_sent: sent }).where("id", "=", lead.id).execute();
      cursors.push(lead.id);
    }
    expect((await remove(seller, ids[1]!)).statusCode).toBe(200);
    expect(await places(seller)).toEqual(["0 A", "1 C"]);
    const answer = await engine.app.inject({ method: "GET", url: "/api/leads", headers: as(seller) });
    const { leads } = answer.json<{ leads: { id: string; followup_order_sent: number }[] }>();
    const after = new Map(leads.map(({ id, followup_order_sent: sent }) => [id, sent]));
    expect(cursors.map((id) => after.get(id))).toEqual([0, 1, 1, 2]);
    expect((await change(seller, ids[2]!, { followup_order: 1 })).statusCode).toBe(200);
    expect(await places(seller)).toEqual(["0 A", "1 C"]);
  });

  it("stay numbered without gaps or doubles when two tabs add and delete at once", async () => {
    const { seller, ids } = await sellerWithSteps("A", "B", "C", "D", "E", "F");
    const answers = await Promise.all([
      ...ids.slice(0, 3).map((id) => remove(seller, id)),
      post(seller, { message: "G" }),
      post(seller, { message: "H" }),
      ...ids.slice(1, 4).map((id) => remove(seller, id)),
    ]);
    expect(answers.filter(({ statusCode }) => statusCode >= 500)).toEqual([]);
    const orders = (await list(seller)).map(({ followup_order: order }) => order);
    expect(orders).toEqual([0, 1, 2, 3]);
  });

  it("change their text and delay", async () => {
    const { seller, ids } = await sellerWithSteps("A");
    expect((await change(seller, ids[0]!, { message: "A2", delay_hours: 1 })).json()).toMatchObject({
      message: "A2",
      delay_hours: 1,
    });
    expect((await change(seller, ids[0]!, { delay_hours: null })).json()).toMatchObject({ delay_hours: 24 });
  });

  it("are refused with 422 when empty, too long a wait, of no known stage, or with fields we do not know", async () => {
    const { seller, ids } = await sellerWithSteps("A");
    const stranger = await engine.newSeller();
    const answers = await Promise.all([
      post(seller, { message: "  " }),
      post(seller, { delay_hours: "169" }),
      post(seller, { delay_hours: "0" }),
      post(seller, { delay_hours: "2.5" }),
      post(seller, { stage_id: stranger.stageId }),
      post(seller, { owner_id: stranger.id }),
      post(seller, { message: "x".repeat(4_097) }),
      change(seller, ids[0]!, {}),
      change(seller, ids[0]!, { message: "" }),
      change(seller, ids[0]!, { stage_id: stranger.stageId }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(422));
  });

  it("belong to one seller: others are answered 404, byte for byte as for none", async () => {
    const { seller, ids } = await sellerWithSteps("A");
    const stranger = await engine.newSeller();
    const none = "8f14e45f-ceea-467f-a83c-000000000000";
    const answers = await Promise.all([
      remove(stranger, ids[0]!),
      remove(stranger, none),
      change(stranger, ids[0]!, { message: "mine" }),
      change(stranger, none, { message: "mine" }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(await places(seller)).toEqual(["0 A"]);
  });

  it("may stand without a stage, and move into one", async () => {
    const { seller } = await sellerWithSteps("A");
    const loose = (await post(seller, { stage_id: "", message: "Loose" })).json<Followup>();
    expect(loose).toMatchObject({ stage_id: null, followup_order: 0 });
    const moved = await change(seller, loose.id, { stage_id: seller.stageId });
    expect(moved.json()).toMatchObject({ stage_id: seller.stageId, followup_order: 1 });
  });
});
