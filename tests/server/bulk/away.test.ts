import { expect, test } from "vitest";
import type { BulkJob } from "../../../domain/bulk.ts";
import type { LedgerPage } from "../../../domain/ledger.ts";
import type { Forecast } from "../../../domain/forecast.ts";
import { ownServer, type TestUser } from "../../support/server.ts";

const HOUR = 3_600;
const REASON = "Your Telegram account was away for more than 24 hours. Continue to send the rest, or cancel it.";
const server = await ownServer();

const sentBy = async (phone: string) =>
  (await server.sandbox<{ text: string }[]>(phone, "/sent")).filter(({ text }) => text === "News");

/** Starts a bulk message to three leads and sends it to one of them. */
async function jobUnderWay() {
  const user = await server.subscriber();
  const { phone } = await server.connect(user);
  for (const first_name of ["Ann", "Bea", "Cem"]) await server.receive(phone, { first_name }, "Hello");
  const message = { message: "News", stage_id: "", throttle: "10" };
  const { job_id: id } = (await user.call<{ job_id: string }>("POST", "/bulk", message)).body;
  await server.idle();
  expect(await sentBy(phone)).toHaveLength(1);
  const job = async () => (await user.call<BulkJob>("GET", `/bulk/${id}`)).body;
  expect(await job()).toMatchObject({ sent_count: 1 });
  return { user, phone, id, job };
}
async function pass(user: TestUser, seconds: number) {
  await server.advance(seconds);
  await server.renew(user);
}
async function hasAccess(user: TestUser, isOpen: boolean) {
  const { status } = await user.call("GET", "/stages");
  expect(status === 200).toBe(isOpen);
}

test("holds a bulk job whose account was away for more than 24 hours", async () => {
  const { user, phone, id, job } = await jobUnderWay();
  await user.call("POST", "/telegram/disconnect");
  const paused_reason = "Telegram is disconnected. Connect it again to go on.";
  expect(await job()).toMatchObject({ is_held: false, paused_reason });
  await pass(user, 25 * HOUR);
  await server.connect(user, phone);
  const held = { status: "in_progress", is_held: true, paused_until: null, paused_reason: REASON };
  expect(await job()).toMatchObject(held);
  await pass(user, HOUR);
  expect(await sentBy(phone)).toHaveLength(1);
  const ledger = await user.call<LedgerPage>("GET", "/ledger?kind=bulk&state=pending");
  const words = `Waits for you: ${REASON.charAt(0).toLowerCase()}${REASON.slice(1)}`;
  expect(ledger.body.items.map((item) => item.words)).toEqual([words, words]);
  const forecast = await user.call<Forecast>("GET", "/forecast?hours=24");
  expect(forecast.body.items.filter(({ kind }) => kind === "bulk")).toEqual([]);

  const goesOn = await user.call<BulkJob>("POST", `/bulk/${id}/continue`);
  expect(goesOn).toMatchObject({ status: 200, body: { job_id: id, is_held: false, paused_reason: null } });
  await server.advance(30);
  await server.advance(30);
  expect(await job()).toMatchObject({ status: "completed", sent_count: 3 });
  expect(await sentBy(phone)).toHaveLength(3);
  const again = await user.call<BulkJob>("POST", `/bulk/${id}/continue`);
  expect(again).toMatchObject({ status: 200, body: { status: "completed" } });
});

const endsBy = (soon: string) => ({ cancel_at_period_end: true, current_period_end: soon });

test.each<[string, (soon: string) => object, object[]]>([
  ["was ended", () => ({ status: "canceled" }), []],
  ["ended by itself", endsBy, []],
  ["ended by itself, and whose new payment was open at first,", endsBy, [{ status: "incomplete" }]],
])("holds a bulk job when access that %s returns a day later", async (_how, end, before) => {
  const { user, phone, job } = await jobUnderWay();
  await server.bill(user, end(new Date(server.clock.now() + HOUR * 1000).toISOString()));
  await pass(user, 28 * HOUR);
  for (const change of before) await server.bill(user, change);
  await hasAccess(user, false);
  await server.bill(user, { status: "active", cancel_at_period_end: false });
  await hasAccess(user, true);
  expect(await job()).toMatchObject({ is_held: true, paused_reason: REASON });
  expect((await sentBy(phone)).length).toBeLessThan(3);
});
