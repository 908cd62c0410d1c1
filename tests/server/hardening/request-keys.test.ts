import { expect, it } from "vitest";
import { refreshStalePlans } from "../../../server/followups/stale-plans.ts";
import { newLead, newStep, ownEngine, type Seller } from "../../support/engine.ts";
import { formWith } from "../../support/form.ts";
import { rowsOf } from "../../support/rows.ts";

const DAY_MS = 86_400_000;

const engine = await ownEngine();

type Answer = { code?: string; planned: number; step: { order: number } };
const post = (seller: Seller, url: string, key: string, body: object) =>
  engine.call<Answer>(seller, "POST", url, body, { "idempotency-key": key });
const sendsOf = async (seller: Seller) =>
  (await rowsOf(engine.deps.db, "outbox", { owner_id: seller.id }, ["id"])).length;

it("starts a bulk message once per key, and refuses the key for another", async () => {
  const seller = await engine.newSeller();
  await newLead(engine, seller);
  await newLead(engine, seller);
  const order = (message: string, key = "order-1") =>
    post(seller, "/bulk", key, formWith({ message, stage_id: "", throttle: "1" }));
  const [first, second] = await Promise.all([order("News"), order("News")]);
  expect([first?.status, second?.status]).toEqual([200, 200]);
  expect(second?.body).toEqual(first?.body);
  expect(await sendsOf(seller)).toBe(2);
  const other = await order("Other news");
  expect([other.status, other.body.code]).toEqual([422, "key_reused"]);
  expect((await order("Other news", "order-2")).status).toBe(409);
  expect((await order("News", "not a key")).status).toBe(422);

  await engine.startSending(seller, engine.fakeTelegram());
  await engine.advance(60);
  await engine.idle();
  expect((await order("News")).body).toEqual(first?.body);
  expect(await sendsOf(seller)).toBe(2);
});

it("repeats the first response to a repeated confirmation, and plans once", async () => {
  const seller = await engine.newSeller({ automated: true });
  await newStep(engine, seller, { message: "Hello again", order: 0, delayHours: 1 });
  const lead = await newLead(engine, seller, { enteredAt: engine.clock.now() - 5 * DAY_MS });
  const url = "/followups/overdue/confirm";
  await refreshStalePlans(engine.deps.db);
  const confirm = () => post(seller, url, "yes", { lead_ids: [lead.id] });
  const [first, second] = await Promise.all([confirm(), confirm()]);
  const answers = [first, second, await confirm()].map((answer) => answer?.body.planned);
  expect(answers).toEqual([1, 1, 1]);
  expect(await sendsOf(seller)).toBe(1);
  const other = await post(seller, url, "yes", {});
  expect([other.status, other.body.code]).toEqual([422, "key_reused"]);
  expect((await post(seller, url, "again", { lead_ids: [lead.id] })).body).toEqual({ planned: 0 });
});

it("skips only one step on a repeated skip with the same key", async () => {
  const seller = await engine.newSeller({ automated: true });
  for (const order of [0, 1, 2]) await newStep(engine, seller, { message: `Step ${order}`, order, delayHours: 1 });
  const lead = await newLead(engine, seller, { enteredAt: engine.clock.now() });
  const skip = (key: string, action = "skip") => post(seller, `/leads/${lead.id}/automation`, key, { action });
  const stepOf = (answer: Awaited<ReturnType<typeof skip>>) => answer.body.step.order;
  const [first, second] = await Promise.all([skip("skip-1"), skip("skip-1")]);
  expect([stepOf(first), stepOf(second), stepOf(await skip("skip-1"))]).toEqual([1, 1, 1]);
  expect(stepOf(await skip("skip-2"))).toBe(2);
  const other = await skip("skip-2", "hold");
  expect([other.status, other.body.code]).toEqual([422, "key_reused"]);
});
