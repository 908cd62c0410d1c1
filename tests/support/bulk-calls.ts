import { expect } from "vitest";
import type { BulkJob } from "../../domain/bulk.ts";
import { newLead, type Seller, type TestEngine } from "./engine.ts";
import { formWith } from "./form.ts";

type Answer = { job_id: string; code: string; message: string; fields?: object };

/** The bulk message calls of a seller's browser. */
export function bulkCalls(engine: TestEngine) {
  const post = (seller: Seller, fields: Record<string, string>, file?: Uint8Array<ArrayBuffer>) =>
    engine.call<Answer>(seller, "POST", "/bulk", formWith(fields, file));
  const read = async (seller: Seller, id: string) => (await engine.call<BulkJob>(seller, "GET", `/bulk/${id}`)).body;
  const start = async (seller: Seller, fields: Record<string, string> = {}) => {
    const { status, body } = await post(seller, { message: "News", stage_id: "", throttle: "0.1", ...fields });
    expect(status).toBe(200);
    return body.job_id;
  };
  const sellerWithLeads = async (count: number, options?: { automated: boolean }) => {
    const seller = await engine.newSeller(options);
    const leads = [];
    for (let index = 0; index < count; index += 1) leads.push(await newLead(engine, seller));
    return { seller, leads, telegram: engine.fakeTelegram() };
  };
  return {
    post,
    read,
    start,
    sellerWithLeads,
    remove: (seller: Seller, id: string) => engine.call(seller, "DELETE", `/bulk/${id}`),
    /** Starts a job for this many leads. Resolves while Telegram holds its first message, which then fails. */
    async startFailing(count: number, failure: Error) {
      const { seller } = await sellerWithLeads(count);
      const telegram = await engine.telegramOf(seller, { slowMs: 40 });
      telegram.fail(failure);
      const id = await start(seller);
      await engine.clock.passUntil(() => telegram.calls.length > 0 || null);
      return { seller, telegram, id };
    },
    /** Lets time pass until the job ends. */
    untilFinished: (seller: Seller, id: string) =>
      engine.clock.passUntil(async () => {
        const job = await read(seller, id);
        return job.status === "in_progress" ? null : job;
      }),
    /** Lets time pass until the job is paused. */
    untilPaused: (seller: Seller, id: string) =>
      engine.clock.passUntil(async () => {
        const job = await read(seller, id);
        return job.paused_until === null ? null : job;
      }),
  };
}
export type BulkCalls = ReturnType<typeof bulkCalls>;
