import { describe, expect, it } from "vitest";
import type { BulkJob } from "../../../domain/bulk.ts";
import { PNG, pngOf } from "../../support/files.ts";
import type { TestUser } from "../../support/server.ts";
import { ownServer } from "../../support/servers.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

type Sent = { to_user_id: number; text: string; media_type: string | null; random_id: string; at: string };

const server = await ownServer();

async function seller() {
  const user = await server.subscriber();
  const { phone } = await server.connect(user);
  const settings = { auto_followups_enabled: true, auto_followup_start_hour: 0, auto_followup_end_hour: 0 };
  await ok(user, "POST", "/api/user_settings", settings);
  return { user, phone };
}
async function ok<T>(user: TestUser, method: string, address: string, body?: unknown): Promise<T> {
  const answer = await server.call<T>(method, address, { token: user.token, body });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}
const lever = async <T>(phone: string, address: string, body?: unknown) =>
  (
    await server.call<T>(
      body === undefined ? "GET" : "POST",
      `/sandbox/telegram/accounts/${encodeURIComponent(phone)}${address}`,
      { body },
    )
  ).body;
const sent = (phone: string) => lever<Sent[]>(phone, "/sent");
const delivered = (phone: string, count: number) =>
  server.passUntil(
    () => sent(phone),
    (all) => all.length >= count,
  );
const stageId = async (user: TestUser) => (await ok<{ id: string }[]>(user, "GET", "/api/stages"))[0]?.id ?? "";

function step(stage: string, message: string, delayHours: number, file?: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set("stage_id", stage);
  form.set("message", message);
  form.set("delay_hours", String(delayHours));
  if (file !== undefined) form.set("media", new Blob([file]), "picture.png");
  return form;
}
function bulkOrder(message: string, throttle: string, file?: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set("message", message);
  form.set("stage_id", "");
  form.set("throttle", throttle);
  if (file !== undefined) form.set("media", new Blob([file]), "picture.png");
  return form;
}

describe("the engine against the simulated Telegram network", () => {
  it("sends an automatic follow-up with its picture when it is due, and not the next one after an answer", async () => {
    const { user, phone } = await seller();
    const { user_id: ann } = await server.receive(phone, { first_name: "Ann" }, "Good day");
    const stage = await stageId(user);
    await ok(user, "POST", "/api/followups", step(stage, "First", 24, PNG));
    await ok(user, "POST", "/api/followups", step(stage, "Second", 24));
    await server.advance(DAY + 60);
    const first = await delivered(phone, 1);
    expect(first).toMatchObject([{ to_user_id: ann, text: "First" }]);
    expect(first[0]?.media_type).not.toBeNull();
    await server.receive(phone, { user_id: ann, first_name: "Ann" }, "Tell me more");
    await server.advance(3 * DAY);
    const byHand = await server.receive(phone, { first_name: "Ben" }, "Hello");
    await server.advance(DAY + 60);
    const all = await delivered(phone, 2);
    expect(all.map(({ to_user_id: to, text }) => [to, text])).toEqual([
      [ann, "First"],
      [byHand.user_id, "First"],
    ]);
  });

  it("posts a reminder of a stuck lead to the team's channel", async () => {
    const { user, phone } = await seller();
    await server.receive(phone, { first_name: "Cleo", username: "cleo_b" }, "Good day");
    const rule = {
      type: "stuck",
      stage: "initial contact",
      delay_days: 2,
      channel_id: "@leadloom_team",
      template: "{name} waits for {days} days: {link}",
    };
    await ok(user, "POST", "/api/reminders", rule);
    const refused = await server.call("POST", "/api/reminders", {
      token: user.token,
      body: { ...rule, channel_id: "@nobody_here" },
    });
    expect(refused).toMatchObject({ status: 422, body: { code: "channel_refused" } });
    await server.advance(2 * DAY + 60);
    const [posted] = await delivered(phone, 1);
    expect(posted?.text).toBe("Cleo waits for 2 days: https://t.me/cleo_b");
    expect(posted?.to_user_id).toBeLessThan(0);
  });

  it("uploads a bulk message's large picture once and reaches everyone with it, though connections drop", async () => {
    const { user, phone } = await seller();
    for (const name of ["Dora", "Emil", "Fay"]) await server.receive(phone, { first_name: name }, "Good day");
    await lever(phone, "/faults", { method: "messages.sendMedia", error: "DROP_CONNECTION", after_delivery: true });
    const { job_id: id } = await ok<{ job_id: string }>(
      user,
      "POST",
      "/api/bulk",
      bulkOrder("", "0.1", pngOf(2_000_000)),
    );
    const job = await server.passUntil(
      () => ok<BulkJob>(user, "GET", `/api/bulk/${id}`),
      ({ status }) => status !== "in_progress",
    );
    expect(job).toMatchObject({ status: "completed", sent_count: 3, failed_count: 0 });
    const all = await sent(phone);
    expect(new Set(all.map(({ to_user_id: to }) => to)).size).toBe(3);
    expect(all).toHaveLength(3);
  });

  it("rests a bulk message when Telegram ends the session, and goes on after the next login", async () => {
    const { user, phone } = await seller();
    for (const name of ["Gus", "Hana", "Ivo", "Jan"]) await server.receive(phone, { first_name: name }, "Good day");
    const { job_id: id } = await ok<{ job_id: string }>(user, "POST", "/api/bulk", bulkOrder("News", "10"));
    const read = () => ok<BulkJob>(user, "GET", `/api/bulk/${id}`);
    await delivered(phone, 1);
    await lever(phone, "/revoke", {});
    await server.idle();
    expect(await read()).toMatchObject({
      status: "in_progress",
      failed_count: 0,
      paused_reason: "Telegram is disconnected. Connect it again to go on.",
    });
    await server.connect(user, phone);
    for (let count = 2; count <= 4; count += 1) {
      await server.advance(12);
      await delivered(phone, count);
    }
    expect(await read()).toMatchObject({ status: "completed", sent_count: 4, failed_count: 0 });
  });
});
