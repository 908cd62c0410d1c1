import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type HttpOptions, createHttp } from "../../src/services/http.ts";
import { prefetch, prefetchesSettled } from "../../src/services/prefetched.ts";
import { readOpenedSubscription } from "../../src/services/subscription.ts";
import { subscriptionAddress } from "../../src/services/addresses.ts";

const requests: { url: string; signal: AbortSignal | null }[] = [];
let answers: (() => Promise<Response>)[] = [];
const bearer = { Authorization: "Bearer mine" };

beforeEach(() => {
  requests.length = 0;
  answers = [];
  vi.useFakeTimers();
  vi.stubGlobal("fetch", (input: string, init?: RequestInit) => {
    const { pathname, search } = new URL(input, window.location.origin);
    const signal = init?.signal ?? null;
    requests.push({ url: pathname + search, signal });
    const aborted = new Promise<never>((_, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason as Error)),
    );
    return Promise.race([(answers.shift() ?? (async () => new Response(`answer ${requests.length}`)))(), aborted]);
  });
});
afterEach(() => {
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const call = (path: string, options: HttpOptions = {}, token = "mine") =>
  createHttp({ baseURL: "/api", getSession: () => ({ accessToken: token }), refresh: async () => null })(path, options);
const failed = (reading: Promise<unknown>) => reading.catch((error: unknown) => error);

it("serves the first matching request, and sends the next to the server", async () => {
  prefetch("/api/leads?limit=50&offset=0", bearer);
  const query = { limit: 50, offset: 0, name: "" };
  expect(await call("/leads", { query })).toEqual("answer 1");
  expect(await call("/leads", { query })).toEqual("answer 2");
  expect(requests.map(({ url }) => url)).toEqual(["/api/leads?limit=50&offset=0", "/api/leads?limit=50&offset=0"]);
});

it("never serves another user's response, nor another address's", async () => {
  prefetch("/api/stages", bearer);
  expect(await call("/stages", {}, "other")).toEqual("answer 2");
  expect(await call("/stages", { query: { limit: 1 } })).toEqual("answer 3");
  expect(await call("/stages")).toEqual("answer 1");
});

it("ignores requests by other methods, and keeps the response", async () => {
  prefetch("/api/stages", bearer);
  const { signal } = new AbortController();
  expect(await call("/stages", { method: "POST", signal })).toEqual("answer 2");
  expect(await call("/stages")).toEqual("answer 1");
});

it("drops responses that a write of the page may have changed", async () => {
  const saved = Promise.withResolvers<Response>();
  prefetch("/api/stages", bearer);
  answers = [() => saved.promise];
  const saving = call("/stages/1", { method: "PATCH", body: {} });
  expect(requests[0]?.signal?.aborted).toEqual(true);
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  prefetch("/api/stages", bearer);
  saved.resolve(new Response("saved"));
  expect(await saving).toEqual("saved");
  expect(requests[2]?.signal?.aborted).toEqual(true);
  expect(await call("/stages")).toEqual("answer 4");
});

it("drops a response that is unused for ten seconds", async () => {
  prefetch("/api/stages", bearer);
  vi.advanceTimersByTime(10_000);
  expect(requests[0]?.signal?.aborted).toEqual(true);
  expect(await call("/stages")).toEqual("answer 2");
});

it("aborts with its caller, and reports a failure only to it", async () => {
  answers = [() => new Promise(() => {}), () => Promise.reject(new TypeError("offline"))];
  prefetch("/api/stages", bearer);
  const controller = new AbortController();
  const reading = failed(call("/stages", { signal: controller.signal }));
  controller.abort();
  expect(await reading).toMatchObject({ name: "AbortError" });
  expect(requests[0]?.signal?.aborted).toEqual(true);
  prefetch("/api/leads", bearer);
  expect(await failed(call("/leads"))).toMatchObject({ status: null, cause: new TypeError("offline") });
});

it("rejects like the server", async () => {
  answers = [async () => Response.json({ code: "unheard_of", message: "Gone." }, { status: 404 })];
  prefetch("/api/stages", bearer);
  expect(await failed(call("/stages"))).toMatchObject({ status: 404, code: "unheard_of", body: { message: "Gone." } });
});

it("settles when every prefetch has responded or failed", async () => {
  const first = Promise.withResolvers<Response>();
  answers = [() => first.promise, () => Promise.reject(new TypeError("offline"))];
  prefetch("/api/stages", bearer);
  prefetch("/api/leads", bearer);
  let isOver = false;
  const end = prefetchesSettled().then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver).toEqual(false);
  first.resolve(new Response("answer"));
  await end;
  expect(await call("/stages")).toEqual("answer");
});

const readSubscription = (answer: Response) => {
  answers = [async () => answer];
  prefetch(subscriptionAddress("user 1"), bearer);
  return readOpenedSubscription("user 1", "mine", new AbortController().signal);
};

it("returns the prefetched subscription row, or null", async () => {
  expect(await readSubscription(Response.json([{ status: "active" }]))).toMatchObject({ status: "active" });
  expect(await readSubscription(Response.json([]))).toEqual(null);
});

it("leaves a refused token to the client, and reports any other refusal", async () => {
  expect(await readSubscription(new Response("{}", { status: 401 }))).toEqual(undefined);
  await expect(readSubscription(new Response("{}", { status: 503 }))).rejects.toThrow("answered with 503");
  await expect(readSubscription(Response.json([{}, {}]))).rejects.toThrow("Invalid");
  expect(await readOpenedSubscription("user 1", "mine", new AbortController().signal)).toEqual(undefined);
});
