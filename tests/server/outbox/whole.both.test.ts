import { describe, expect, it } from "vitest";
import type { BulkJob } from "../../../domain/bulk.ts";
import { pngOf } from "../../support/files.ts";
import type { TestUser } from "../../support/server.ts";
import { ownServer } from "../../support/servers.ts";

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
async function callSandbox<T>(phone: string, address: string, body?: unknown): Promise<T> {
  const path = `/sandbox/telegram/accounts/${encodeURIComponent(phone)}${address}`;
  return (await server.call<T>(body === undefined ? "GET" : "POST", path, { body })).body;
}
const sent = (phone: string) => callSandbox<Sent[]>(phone, "/sent");
const delivered = (phone: string, count: number) =>
  server.passUntil(
    () => sent(phone),
    (all) => all.length >= count,
  );

/** Starts a bulk message to all leads. @returns a function that reads the job */
async function ordered(user: TestUser, message: string, throttle: string, file?: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  for (const [name, text] of Object.entries({ message, throttle, stage_id: "" })) form.set(name, text);
  if (file !== undefined) form.set("media", new Blob([file]), "picture.png");
  const { job_id: id } = await ok<{ job_id: string }>(user, "POST", "/api/bulk", form);
  return () => ok<BulkJob>(user, "GET", `/api/bulk/${id}`);
}

describe("the engine against the simulated Telegram network", () => {
  it("uploads a bulk message's picture once and reaches every lead despite drops", async () => {
    const { user, phone } = await seller();
    for (const name of ["Dora", "Emil", "Fay"]) await server.receive(phone, { first_name: name }, "Good day");
    await callSandbox(phone, "/faults", {
      method: "messages.sendMedia",
      error: "DROP_CONNECTION",
      after_delivery: true,
    });
    const read = await ordered(user, "", "0.1", pngOf(2_000_000));
    const job = await server.passUntil(read, ({ status }) => status !== "in_progress");
    expect(job).toMatchObject({ status: "completed", sent_count: 3, failed_count: 0 });
    const all = await sent(phone);
    expect(new Set(all.map(({ to_user_id: to }) => to)).size).toBe(3);
    expect(all).toHaveLength(3);
  });

  it("pauses a bulk message when Telegram ends the session, until the next login", async () => {
    const { user, phone } = await seller();
    for (const name of ["Gus", "Hana", "Ivo", "Jan"]) await server.receive(phone, { first_name: name }, "Good day");
    const read = await ordered(user, "News", "10");
    await delivered(phone, 1);
    await callSandbox(phone, "/revoke", {});
    await server.idle();
    const paused_reason = "Telegram is disconnected. Connect it again to go on.";
    expect(await read()).toMatchObject({ status: "in_progress", failed_count: 0, paused_reason });
    await server.connect(user, phone);
    for (let count = 2; count <= 4; count += 1) {
      await server.advance(12);
      await delivered(phone, count);
    }
    expect(await read()).toMatchObject({ status: "completed", sent_count: 4, failed_count: 0 });
  });
});
