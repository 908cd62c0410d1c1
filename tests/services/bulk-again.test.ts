import { afterEach, expect, it, vi } from "vitest";
import { EVERY_STAGE } from "../../domain/bulk-target.ts";
import { createBulkGateway } from "../../src/services/bulk.ts";
import { createHttp } from "../../src/services/http.ts";

afterEach(() => vi.unstubAllGlobals());

it("a message whose job was canceled is a new one when it is sent again, also where its first call got no answer", async () => {
  const keys: (string | null)[] = [];
  let isAway = true;
  vi.stubGlobal("fetch", async (...call: Parameters<typeof fetch>) => {
    const request = new Request(...call);
    if (request.method === "DELETE") return Response.json({ success: true });
    keys.push(request.headers.get("Idempotency-Key"));
    if (isAway) throw new TypeError("Failed to fetch");
    return Response.json({ job_id: 2 }, { status: 202 });
  });
  const baseURL = "http://127.0.0.1/api";
  const bulk = createBulkGateway(
    createHttp({ baseURL, getSession: () => ({ accessToken: "token" }), refresh: async () => null }),
  );
  const send = () => bulk.queueMessages({ message: "Hi", target: EVERY_STAGE, throttle: "5", media: null });
  await expect(send()).rejects.toThrow("No answer from the server");
  await expect(send()).rejects.toThrow("No answer from the server");
  expect(keys[1]).toEqual(keys[0]);
  await bulk.cancelJob({ jobId: "1" });
  isAway = false;
  await send().catch(() => {});
  expect(keys).toHaveLength(3);
  expect(keys[2]).not.toEqual(keys[0]);
});
