import { expect } from "vitest";
import type { BulkJob } from "../../domain/bulk.ts";
import { createFakeTelegram, newLead, type Seller, type SellerOptions, type TestEngine } from "./engine.ts";
import { form } from "./form.ts";

/** The bulk message calls of a seller's browser. */
export function bulkCalls(engine: TestEngine) {
  const post = (seller: Seller, fields: Record<string, string>, file?: Uint8Array) => {
    const { payload, headers } = form(fields, file);
    return engine.call(seller, "POST", "/api/bulk", payload, headers);
  };
  const read = async (seller: Seller, id: string) =>
    (await engine.call(seller, "GET", `/api/bulk/${id}`)).json<BulkJob>();
  return {
    post,
    read,
    remove: (seller: Seller, id: string) => engine.call(seller, "DELETE", `/api/bulk/${id}`),
    async start(seller: Seller, fields: Record<string, string> = {}) {
      const answer = await post(seller, { message: "News", stage_id: "", throttle: "0.1", ...fields });
      expect(answer.statusCode).toBe(200);
      return answer.json<{ job_id: string }>().job_id;
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
    async sellerWithLeads(count: number, options: SellerOptions = {}) {
      const seller = await engine.newSeller(options);
      const leads = [];
      for (let index = 0; index < count; index += 1) leads.push(await newLead(engine, seller));
      return { seller, leads, telegram: createFakeTelegram(engine.clock) };
    },
  };
}
export type BulkCalls = ReturnType<typeof bulkCalls>;
