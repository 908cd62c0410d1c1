import { expect } from "vitest";
import type { BulkJob } from "../../../domain/bulk.ts";
import { changeRows, rowsOf } from "../../../tests/support/rows.ts";
import type { TestServer, TestUser } from "../../../tests/support/server.ts";

const DAY = 24 * 3_600;
type Sent = { to_user_id: number; text: string };

let server: TestServer;

async function ok<T>(user: TestUser, method: string, address: string, body?: unknown): Promise<T> {
  const answer = await server.call<T>(method, address, { token: user.token, body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}
const sent = async (phone: string) =>
  (await server.call<Sent[]>("GET", `/sandbox/telegram/accounts/${encodeURIComponent(phone)}/sent`)).body;
const people = async (phone: string, count: number) => {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push((await server.receive(phone, { first_name: `Person ${index}` }, "Good day")).user_id);
  return ids;
};
/** Creates a seller with one step, due a day after a lead's first message, and automation at all hours. */
async function seller(isAutomated: boolean) {
  const user = await server.subscriber();
  const { phone } = await server.connect(user);
  const hours = { auto_followup_start_hour: 0, auto_followup_end_hour: 0 };
  await ok(user, "POST", "/api/user_settings", { auto_followups_enabled: isAutomated, ...hours });
  const [stage] = await ok<{ id: string }[]>(user, "GET", "/api/stages");
  await ok(user, "POST", "/api/followups", { stage_id: stage?.id, message: "Still interested?" });
  return { user, phone };
}
const signIn = async (user: TestUser) => {
  const { email, password } = user;
  const headers = { apikey: "leadloom-anon" };
  const body = { email, password };
  const answer = await server.call<{ access_token: string }>("POST", "/auth/v1/token?grant_type=password", {
    body,
    headers,
  });
  expect(answer.status).toBe(200);
  user.token = answer.body.access_token;
};
const bulk = async (user: TestUser) => {
  const order = { message: "News", stage_id: "", throttle: "0.1" };
  const { job_id: id } = await ok<{ job_id: string }>(user, "POST", "/api/bulk", order);
  return server.passUntil(
    () => ok<BulkJob>(user, "GET", `/api/bulk/${id}`),
    ({ status }) => status !== "in_progress",
  );
};
const leads = async (user: TestUser) =>
  server.deps.db
    .selectFrom("leads")
    .select(["id", "telegram_user_id", "unreachable_reason"])
    .where("owner_id", "=", user.userId)
    .orderBy("telegram_user_id")
    .execute();

/** Resolves when this many automatic steps were tried and skipped. */
const skipped = (user: TestUser, count: number) =>
  server.passUntil(
    () => rowsOf(server.deps.db, "outbox", { owner_id: user.userId, kind: "followup" }, ["state"]),
    (rows) => rows.length === count && rows.every(({ state }) => state === "skipped"),
  );

export const BREAKS = {
  "sixty days without a subscription": async (user: TestUser, phone: string) => {
    await subscription(user, "canceled");
    await server.advance(60 * DAY);
    await signIn(user);
    await subscription(user, "active");
    await server.connect(user, phone);
  },
  "ten days without a subscription": async (user: TestUser) => {
    await subscription(user, "canceled");
    await server.advance(10 * DAY);
    await signIn(user);
    await subscription(user, "active");
  },
  "sixty days without a connected account": async (user: TestUser, phone: string) => {
    await ok(user, "POST", "/api/telegram/disconnect");
    await server.advance(60 * DAY);
    await signIn(user);
    await server.connect(user, phone);
  },
  "sixty days with another account that could not reach them": async (user: TestUser, phone: string) => {
    await server.connect(user);
    await server.advance(DAY + 60);
    await skipped(user, 5);
    await server.advance(59 * DAY);
    await signIn(user);
    await server.connect(user, phone);
  },
};
const subscription = async (user: TestUser, status: string) => {
  const email = encodeURIComponent(user.email);
  const answer = await server.call("POST", `/sandbox/billing/subscriptions/${email}`, { body: { status } });
  expect(answer.status).toBe(200);
  await server.idle();
  const { status: access } = await server.call("GET", "/api/user_settings", { token: user.token });
  expect(access).toBe(status === "active" ? 200 : 402);
};

/** Loses two people from the address book; after reconnecting, both are found and reached. @returns how many were reached */
export async function runLostPeople(on: TestServer): Promise<number> {
  server = on;
  const { user, phone } = await seller(true);
  const [flagged = 0, stepped = 0] = await people(phone, 2);
  const { db } = server.deps;
  const again = async () => {
    await signIn(user);
    await ok(user, "POST", "/api/telegram/disconnect");
    await db
      .deleteFrom("telegram_peers")
      .where("peer_id", "in", [String(flagged), String(stepped)])
      .execute();
    await server.connect(user, phone);
  };
  await again();
  await server.advance(DAY + 60);
  await skipped(user, 2);
  // An older release flagged such leads.
  const refusal = { unreachable_reason: "PEER_NOT_KNOWN" };
  await db.updateTable("leads").set(refusal).where("telegram_user_id", "=", String(flagged)).execute();
  await again();
  await server.advance(60);
  const reached = await server.passUntil(
    () => sent(phone),
    (messages) => messages.length === 2,
  );
  expect(new Set(reached.map(({ to_user_id: id }) => id))).toEqual(new Set([flagged, stepped]));
  expect((await leads(user)).map(({ unreachable_reason: reason }) => reason)).toEqual([null, null]);
  return reached.length;
}

/** Takes a break with five leads waiting. Nothing overdue is sent afterwards until the user confirms it. @returns how many were sent */
export async function runBreak(on: TestServer, name: keyof typeof BREAKS): Promise<number> {
  server = on;
  const { user, phone } = await seller(true);
  const waiting = await people(phone, 5);
  await BREAKS[name](user, phone);
  const fresh = await server.receive(phone, { first_name: "Fresh" }, "Good day");
  await server.advance(DAY + 60);
  await signIn(user);
  await server.passUntil(
    () => sent(phone),
    (all) => all.length > 0,
  );
  expect((await sent(phone)).map(({ to_user_id: to }) => to)).toEqual([fresh.user_id]);
  const listed = await ok<{ total: number; leads: { lead_id: string }[] }>(user, "GET", "/api/followups/overdue");
  expect(listed.total).toBe(5);
  expect(await ok(user, "POST", "/api/followups/overdue/confirm", {})).toEqual({ planned: 5 });
  const all = await server.passUntil(
    () => sent(phone),
    ({ length }) => length === 6,
  );
  expect(new Set(all.map(({ to_user_id: to }) => to))).toEqual(new Set([...waiting, fresh.user_id]));
  return all.length;
}

/**
 * Connects another account in between, which reaches none of the leads; the first one then reaches all of them. @returns how many leads are
 * flagged
 */
export async function runOtherAccount(on: TestServer): Promise<number> {
  server = on;
  const { user, phone } = await seller(true);
  const [ann, ben, cleo] = await people(phone, 3);
  const other = await server.connect(user);
  expect(await bulk(user)).toMatchObject({ sent_count: 0, failed_count: 3 });
  const [first] = await leads(user);
  const byHand = await server.call("POST", `/api/followups/send/${first?.id}`, { token: user.token });
  expect(byHand).toMatchObject({
    status: 422,
    body: {
      message:
        "Not sent: this person has never written to the connected Telegram account; connect the account that they know.",
    },
  });
  await server.advance(DAY + 60);
  await skipped(user, 3);
  expect((await leads(user)).map(({ unreachable_reason: reason }) => reason)).toEqual([null, null, null]);
  expect(await sent(other.phone)).toEqual([]);
  // Refusals of the other account no longer apply once the first one is back.
  await changeRows(
    server.deps.db,
    "leads",
    { owner_id: user.userId, telegram_user_id: String(ann) },
    { unreachable_reason: "USER_PRIVACY_RESTRICTED", unreachable_account: "1" },
  );
  await signIn(user);
  await server.connect(user, phone);
  await server.advance(60);
  const everyone = (texts: readonly Sent[], text: string) =>
    new Set(texts.filter((each) => each.text === text).map(({ to_user_id: to }) => to));
  const steps = await server.passUntil(
    () => sent(phone),
    ({ length }) => length === 3,
  );
  expect(everyone(steps, "Still interested?")).toEqual(new Set([ann, ben, cleo]));
  expect(await bulk(user)).toMatchObject({ sent_count: 3, failed_count: 0 });
  expect(everyone(await sent(phone), "News")).toEqual(new Set([ann, ben, cleo]));
  return (await leads(user)).filter(({ unreachable_reason: reason }) => reason !== null).length;
}
