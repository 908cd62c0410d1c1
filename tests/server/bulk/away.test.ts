import { beforeAll, describe, expect, test } from "vitest";
import type { BulkJob } from "../../../domain/bulk.ts";
import type { LedgerPage } from "../../../domain/ledger.ts";
import type { Forecast } from "../../../domain/forecast.ts";
import { type TestServer, type TestUser } from "../../support/server.ts";
import { ownServer } from "../../support/servers.ts";

const HOUR = 3_600;
const REASON = "Your Telegram account was away for more than 24 hours. Continue to send the rest, or cancel it.";
let server: TestServer;
beforeAll(async () => {
  server = await ownServer();
});

type Sent = { text: string };
const sentBy = async (phone: string) =>
  (await server.call<Sent[]>("GET", `/sandbox/telegram/accounts/${encodeURIComponent(phone)}/sent`)).body.filter(
    ({ text }) => text === "News",
  );

/** A bulk message to three leads, one of whom has got it. */
async function jobUnderWay() {
  const user = await server.subscriber();
  const { phone } = await server.connect(user);
  for (const first_name of ["Ann", "Bea", "Cem"]) await server.receive(phone, { first_name }, "Hello");
  const body = { message: "News", stage_id: "", throttle: "10" };
  const { job_id: id } = (await server.call<{ job_id: string }>("POST", "/api/bulk", { token: user.token, body })).body;
  await server.idle();
  expect(await sentBy(phone)).toHaveLength(1);
  const job = async () => (await server.call<BulkJob>("GET", `/api/bulk/${id}`, { token: user.token })).body;
  expect(await job()).toMatchObject({ sent_count: 1 });
  return { user, phone, id, job };
}
/** Lets time pass; the user signs in again, for tokens live for an hour. */
async function pass(user: TestUser, seconds: number) {
  await server.advance(seconds);
  const body = { email: user.email, password: user.password };
  const session = await server.call<{ access_token: string }>("POST", "/auth/v1/token?grant_type=password", { body });
  user.token = session.body.access_token;
}
const disconnect = ({ token }: TestUser) => server.call("POST", "/api/telegram/disconnect", { token });
const bill = ({ email }: TestUser, body: object) =>
  server.call("POST", `/sandbox/billing/subscriptions/${encodeURIComponent(email)}`, { body });
async function hasAccess(user: TestUser, isOpen: boolean) {
  await server.idle();
  const { status } = await server.call("GET", "/api/stages", { token: user.token });
  expect(status === 200).toBe(isOpen);
}

describe("a bulk job whose account was away for more than 24 hours", () => {
  test("waits after the account is connected again, and goes on when the user continues it", async () => {
    const { user, phone, id, job } = await jobUnderWay();
    await disconnect(user);
    expect(await job()).toMatchObject({
      is_held: false,
      paused_reason: "Telegram is disconnected. Connect it again to go on.",
    });
    await pass(user, 25 * HOUR);
    await server.connect(user, phone);
    expect(await job()).toMatchObject({
      status: "in_progress",
      is_held: true,
      paused_until: null,
      paused_reason: REASON,
    });
    await pass(user, HOUR);
    expect(await sentBy(phone)).toHaveLength(1);
    const { items } = (
      await server.call<LedgerPage>("GET", "/api/ledger?kind=bulk&state=pending", { token: user.token })
    ).body;
    expect(items.map(({ words }) => words)).toEqual(
      [1, 2].map(() => `Waits for you: ${REASON.charAt(0).toLowerCase()}${REASON.slice(1)}`),
    );
    const forecast = (await server.call<Forecast>("GET", "/api/forecast?hours=24", { token: user.token })).body;
    expect(forecast.items.filter(({ kind }) => kind === "bulk")).toEqual([]);

    const stranger = await server.subscriber();
    expect((await server.call("POST", `/api/bulk/${id}/continue`, { token: stranger.token })).status).toBe(404);
    const goesOn = await server.call<BulkJob>("POST", `/api/bulk/${id}/continue`, { token: user.token });
    expect([goesOn.status, goesOn.body]).toMatchObject([200, { job_id: id, is_held: false, paused_reason: null }]);
    await server.advance(30);
    await server.advance(30);
    expect(await job()).toMatchObject({ status: "completed", sent_count: 3 });
    expect(await sentBy(phone)).toHaveLength(3);
    const again = await server.call<BulkJob>("POST", `/api/bulk/${id}/continue`, { token: user.token });
    expect([again.status, again.body]).toMatchObject([200, { status: "completed" }]);
  });

  test("waits after access came back, also where it ended by itself", async () => {
    for (const end of [{ status: "canceled" }, { cancel_at_period_end: true, current_period_end: "soon" }]) {
      const { user, phone, job } = await jobUnderWay();
      const soon = new Date(server.clock.now() + HOUR * 1000).toISOString();
      await bill(user, "current_period_end" in end ? { ...end, current_period_end: soon } : end);
      if ("status" in end) await hasAccess(user, false);
      await pass(user, 28 * HOUR);
      await hasAccess(user, false);
      await bill(user, { status: "active", cancel_at_period_end: false });
      await hasAccess(user, true);
      expect(await job()).toMatchObject({ is_held: true, paused_reason: REASON });
      expect((await sentBy(phone)).length).toBeLessThan(3);
    }
  });
});
