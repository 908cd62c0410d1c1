import { sql } from "kysely";
import { expect, it } from "vitest";
import { planFollowups } from "../../../server/followups/plan.ts";
import { foldSettled } from "../../../server/outbox/fold.ts";
import { readLedgerPage, runLedgerPages } from "../../../tools/chaos/models/ledger-pages.ts";
import { newLead, newStep, ownEngine } from "../../support/engine.ts";

const engine = await ownEngine();

it("lists each message once by every filter while messages settle", async () => {
  const places = await runLedgerPages(engine, { rounds: 24, seed: 11 });
  expect(Object.keys(places).toSorted()).toEqual(["ledger", "outbox"]);
});

it("shows lead, step, outcome and cause, before and after archiving", async () => {
  const seller = await engine.newSeller({ automated: true });
  await engine.deps.db.insertInto("users").values({ id: seller.id, email: "", name: "Ada" }).execute();
  const stepId = await newStep(engine, seller, { message: "First word", order: 0, delayHours: 1 });
  await newStep(engine, seller, { message: "Second word", order: 1, delayHours: 24 });
  const lead = await newLead(engine, seller);
  await planFollowups(engine.deps);
  await engine.telegramOf(seller);
  await engine.idle();
  await sql`insert into outbox (owner_id, kind, priority, dedupe_key, random_id, lead_id, body, state, reason, not_before, created_at, settled_at)
    values (${seller.id}::uuid, 'reply', 0, ${seller.id}, 9007199254740993, gen_random_uuid(), 'Answer', 'cancelled', 'EXPIRED', now(), now(), now())`.execute(
    engine.deps.db,
  );
  const read = async () => (await readLedgerPage(engine, seller, {})).body.items;
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

it("refuses an invalid filter by name", async () => {
  const seller = await engine.newSeller();
  const bad = "kind=letter state=gone lead_id=1 from=yesterday to=2030-13-01 before=x limit=0 limit=100000 colour=red";
  for (const filter of bad.split(" ")) {
    const [name = "", value = ""] = filter.split("=");
    const { status, body } = await readLedgerPage(engine, seller, { [name]: value });
    expect([filter, status, Object.keys(body.fields ?? {})]).toEqual([filter, 422, [name]]);
  }
  const swapped = await readLedgerPage(engine, seller, { from: "2030-01-02T00:00:00Z", to: "2030-01-01T00:00:00Z" });
  expect([swapped.status, swapped.body.fields]).toEqual([422, { to: "Must not be before the start." }]);
});
