import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type HttpOptions, createHttp } from "../../src/services/http.ts";
import { prefetch, prefetchesSettled } from "../../src/services/prefetched.ts";
import { readOpenedSubscription } from "../../src/services/subscription.ts";
import { subscriptionAddress } from "../../src/services/addresses.ts";

const asked: { url: string; signal: AbortSignal | null }[] = [];
let answers: (() => Promise<Response>)[] = [];
const bearer = { Authorization: "Bearer mine" };

beforeEach(() => {
  asked.length = 0;
  answers = [];
  vi.useFakeTimers();
  vi.stubGlobal("fetch", (input: string, init?: RequestInit) => {
    const { pathname, search } = new URL(input, window.location.origin);
    const signal = init?.signal ?? null;
    asked.push({ url: pathname + search, signal });
    const aborted = new Promise<never>((_, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason as Error)),
    );
    return Promise.race([(answers.shift() ?? (async () => new Response(`answer ${asked.length}`)))(), aborted]);
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

it("answers the first who asks the same, and the next one from the server", async () => {
  prefetch("/api/leads?limit=50&offset=0", bearer);
  const query = { limit: 50, offset: 0, name: "" };
  expect(await call("/leads", { query })).toEqual("answer 1");
  expect(await call("/leads", { query })).toEqual("answer 2");
  expect(asked.map(({ url }) => url)).toEqual(["/api/leads?limit=50&offset=0", "/api/leads?limit=50&offset=0"]);
});

it("gives nobody the answer to another person's question, nor to another address", async () => {
  prefetch("/api/stages", bearer);
  expect(await call("/stages", {}, "other")).toEqual("answer 2");
  expect(await call("/stages", { query: { limit: 1 } })).toEqual("answer 3");
  expect(await call("/stages")).toEqual("answer 1");
});

it("keeps an answer beside a call that asks by another method, and lends it to none", async () => {
  prefetch("/api/stages", bearer);
  const { signal } = new AbortController();
  expect(await call("/stages", { method: "POST", signal })).toEqual("answer 2");
  expect(await call("/stages")).toEqual("answer 1");
});

it("lets go of what the page may itself have changed since it was asked for", async () => {
  const saved = Promise.withResolvers<Response>();
  prefetch("/api/stages", bearer);
  answers = [() => saved.promise];
  const saving = call("/stages/1", { method: "PATCH", body: {} });
  expect(asked[0]?.signal?.aborted).toEqual(true);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  prefetch("/api/stages", bearer);
  saved.resolve(new Response("saved"));
  expect(await saving).toEqual("saved");
  expect(asked[2]?.signal?.aborted).toEqual(true);
  expect(await call("/stages")).toEqual("answer 4");
});

it("lets go of an answer that nobody asked for within ten seconds", async () => {
  prefetch("/api/stages", bearer);
  vi.advanceTimersByTime(10_000);
  expect(asked[0]?.signal?.aborted).toEqual(true);
  expect(await call("/stages")).toEqual("answer 2");
});

it("ends with the one who asked, and tells them alone of a failure", async () => {
  answers = [() => new Promise(() => {}), () => Promise.reject(new TypeError("offline"))];
  prefetch("/api/stages", bearer);
  const controller = new AbortController();
  const reading = failed(call("/stages", { signal: controller.signal }));
  controller.abort();
  expect(await reading).toMatchObject({ name: "AbortError" });
  expect(asked[0]?.signal?.aborted).toEqual(true);
  prefetch("/api/leads", bearer);
  expect(await failed(call("/leads"))).toMatchObject({ status: null, cause: new TypeError("offline") });
});

it("refuses as the server did", async () => {
  answers = [async () => Response.json({ code: "unheard_of", message: "Gone." }, { status: 404 })];
  prefetch("/api/stages", bearer);
  expect(await failed(call("/stages"))).toMatchObject({ status: 404, code: "unheard_of", body: { message: "Gone." } });
});

it("tells when all that was asked ahead has been answered or has failed", async () => {
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

it("reads the subscription row that was asked for ahead, or that there is none", async () => {
  expect(await readSubscription(Response.json([{ status: "active" }]))).toMatchObject({ status: "active" });
  expect(await readSubscription(Response.json([]))).toEqual(null);
});

it("leaves a refused token to the client that can renew it, and lets any other refusal be known", async () => {
  expect(await readSubscription(new Response("{}", { status: 401 }))).toEqual(undefined);
  await expect(readSubscription(new Response("{}", { status: 503 }))).rejects.toThrow("answered with 503");
  await expect(readSubscription(Response.json([{}, {}]))).rejects.toThrow("Invalid");
  expect(await readOpenedSubscription("user 1", "mine", new AbortController().signal)).toEqual(undefined);
});
