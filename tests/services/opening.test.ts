import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openAhead, openedFetch } from "../../src/services/opening.ts";
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
    asked.push({ url: new URL(input, window.location.origin).pathname, signal: init?.signal ?? null });
    return (answers.shift() ?? (async () => new Response(`answer ${asked.length}`)))();
  });
});
afterEach(() => {
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const read = async (address: string, headers: Record<string, string> = bearer) =>
  (await openedFetch(address, { headers })).text();

it("answers the first who asks the same, and the next one from the server", async () => {
  openAhead("/api/stages", bearer);
  expect(await read("/api/stages")).toEqual("answer 1");
  expect(await read("/api/stages")).toEqual("answer 2");
});

it("gives nobody the answer to another person's question, nor to another address or method", async () => {
  openAhead("/api/stages", bearer);
  expect(await read("/api/stages", { Authorization: "Bearer other" })).toEqual("answer 2");
  expect(await read("/api/stages?limit=1")).toEqual("answer 3");
  await openedFetch("/api/stages", { method: "POST", headers: bearer });
  expect(await read("/api/stages")).toEqual("answer 1");
});

it("lets go of an answer that nobody asked for within ten seconds", async () => {
  openAhead("/api/stages", bearer);
  vi.advanceTimersByTime(10_000);
  expect(asked[0]?.signal?.aborted).toEqual(true);
  expect(await read("/api/stages")).toEqual("answer 2");
});

it("ends with the one who asked, and tells them alone of a failure", async () => {
  answers = [() => new Promise(() => {}), () => Promise.reject(new TypeError("offline"))];
  openAhead("/api/stages", bearer);
  const controller = new AbortController();
  const reading = openedFetch("/api/stages", { headers: bearer, signal: controller.signal });
  controller.abort();
  await expect(reading).rejects.toThrow("aborted");
  expect(asked[0]?.signal?.aborted).toEqual(true);
  openAhead("/api/leads", bearer);
  await expect(read("/api/leads")).rejects.toThrow("offline");
});

const readSubscription = (answer: Response) => {
  answers = [async () => answer];
  openAhead(subscriptionAddress("user 1"), bearer);
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
