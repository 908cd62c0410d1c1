import { expect, it } from "vitest";
import { newLead, ownEngine } from "../../support/engine.ts";
import { changeRows, rowOf } from "../../support/rows.ts";

const engine = await ownEngine();

it("fills in each lead's name, and repeats the same text on a retry", async () => {
  const telegram = engine.fakeTelegram();
  const seller = await engine.newSeller();
  const ann = await newLead(engine, seller, { name: "Ann Lee" });
  await newLead(engine, seller, { name: "Bo" });
  await newLead(engine, seller, { name: " " });
  const order = { message: "Dear {first_name|friend}, {stage} {x}", throttle: "0.1" };
  expect((await engine.call(seller, "POST", "/bulk", order)).status).toEqual(200);
  const running = await engine.startSending(seller, telegram);
  await engine.allSent(seller);
  await running.stop();
  const filled = ["Ann", "Bo", "friend"].map((name) => `Dear ${name}, Initial Contact {x}`);
  expect(telegram.texts().toSorted()).toEqual(filled);
  // After a crash the row is sent again with the same random id and text.
  await engine.deps.db.updateTable("leads").set({ name: "Zoe" }).where("id", "=", ann.id).execute();
  await changeRows(engine.deps.db, "bulk_jobs", { owner_id: seller.id }, { status: "in_progress" });
  await changeRows(engine.deps.db, "outbox", { lead_id: ann.id }, { state: "sending", settled_at: null });
  await engine.startSending(seller, telegram);
  await engine.allSent(seller);
  const calls = telegram.calls.map(({ text }) => text).filter((text) => text.startsWith("Dear Ann"));
  expect([calls.length, telegram.delivered.length]).toEqual([2, 3]);
});

it("skips only the lead for whom the message is empty", async () => {
  const telegram = engine.fakeTelegram();
  const seller = await engine.newSeller();
  await newLead(engine, seller, { name: "Ann" });
  const nameless = await newLead(engine, seller, { name: "  " });
  const order = { message: "{name}", throttle: "0.1" };
  const { job_id: id } = (await engine.call<{ job_id: string }>(seller, "POST", "/bulk", order)).body;
  await engine.startSending(seller, telegram);
  await engine.allSent(seller);
  const { body: job } = await engine.call(seller, "GET", `/bulk/${id}`);
  expect(job).toMatchObject({ status: "completed", sent_count: 1, failed_count: 1 });
  expect(await rowOf(engine.deps.db, "leads", { id: nameless.id })).toMatchObject({ unreachable_reason: null });
});
