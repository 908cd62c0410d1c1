import { expect, it } from "vitest";
import type { BulkJob } from "../../../domain/bulk.ts";
import { pngOf } from "../../support/files.ts";
import { formWith } from "../../support/form.ts";
import { ownServer } from "../../support/server.ts";
import { newSeller, type ConnectedSeller } from "../conversation/support.ts";

type Sent = { to_user_id: number };

const server = await ownServer();

async function automatedSeller() {
  const user = await newSeller(server);
  const hours = { auto_followups_enabled: true, auto_followup_start_hour: 0, auto_followup_end_hour: 0 };
  await user.call("POST", "/user_settings", hours);
  return user;
}
const delivered = (user: ConnectedSeller, count: number) =>
  server.passUntil(
    () => user.callSandbox<Sent[]>("/sent"),
    (all) => all.length >= count,
  );

/** Starts a bulk message to all leads. @returns a function that reads the job */
async function ordered(user: ConnectedSeller, message: string, throttle: string, file?: Uint8Array<ArrayBuffer>) {
  const body = formWith({ message, throttle, stage_id: "" }, file);
  const job = await user.call<{ job_id: string }>("POST", "/bulk", body);
  return () => user.get<BulkJob>(`/api/bulk/${job.body.job_id}`);
}

it("uploads a bulk message's picture once and reaches every lead despite drops", async () => {
  const user = await automatedSeller();
  for (const first_name of ["Dora", "Emil", "Fay"]) await user.receive({ first_name }, "Good day");
  const fault = { method: "messages.sendMedia", error: "DROP_CONNECTION", after_delivery: true };
  await user.callSandbox("/faults", fault);
  const read = await ordered(user, "", "0.1", pngOf(2_000_000));
  const job = await server.passUntil(read, ({ status }) => status !== "in_progress");
  expect(job).toMatchObject({ status: "completed", sent_count: 3, failed_count: 0 });
  const all = await user.callSandbox<Sent[]>("/sent");
  expect(new Set(all.map(({ to_user_id: to }) => to)).size).toBe(3);
  expect(all).toHaveLength(3);
});

it("pauses a bulk message when Telegram ends the session, until the next login", async () => {
  const user = await automatedSeller();
  for (const first_name of ["Gus", "Hana", "Ivo", "Jan"]) await user.receive({ first_name }, "Good day");
  const read = await ordered(user, "News", "10");
  await delivered(user, 1);
  await user.callSandbox("/revoke", {});
  await server.idle();
  const paused_reason = "Telegram is disconnected. Connect it again to go on.";
  expect(await read()).toMatchObject({ status: "in_progress", failed_count: 0, paused_reason });
  await server.connect(user, user.phone);
  for (let count = 2; count <= 4; count += 1) {
    await server.advance(12);
    await delivered(user, count);
  }
  expect(await read()).toMatchObject({ status: "completed", sent_count: 4, failed_count: 0 });
});
