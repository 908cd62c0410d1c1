import { setImmediate as nextTurn } from "node:timers/promises";
import Fastify from "fastify";
import { describe, expect, test, vi } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import { systemClock } from "../../../server/core/clock.ts";
import type { Bus } from "../../../server/core/bus.ts";
import { createCallRate } from "../../../server/core/call-rate.ts";
import { createConcurrencyLimiter } from "../../../server/core/concurrency.ts";
import { registerErrorHandler } from "../../../server/core/errors.ts";
import { createRouter } from "../../../server/core/routes.ts";
import { registerShedder } from "../../../server/core/shedder.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { signInById } from "../../support/parts.ts";

describe("a concurrency limit", () => {
  test("runs two at once, one per owner, and queues the others in order", async () => {
    const limits = { busyWith: "lists", atOnce: 2, mostWaiting: 3, waitMs: 5_000 } as const;
    const limiter = createConcurrencyLimiter(systemClock, limits);
    const entered: string[] = [];
    const leaves: (() => void)[] = [];
    const enter = (owner: string, name: string) =>
      limiter.run(owner, () => {
        entered.push(name);
        return new Promise<void>((resolve) => leaves.push(resolve));
      });
    for (const name of ["ann 1", "ann 2", "ben", "cleo", "ann 3"]) void enter(name.split(" ")[0] ?? "", name);
    const message = "Large lists are being read. Try again in a few seconds.";
    const full = { status: 503, message, headers: { "retry-after": "3" } };
    await expect(limiter.run("dora", async () => {})).rejects.toMatchObject(full);
    const next = async () => {
      leaves.shift()?.();
      await nextTurn();
      return entered.join(", ");
    };
    await nextTurn();
    expect(entered).toEqual(["ann 1", "ben"]);
    expect(await next()).toBe("ann 1, ben, ann 2");
    expect(await next()).toBe("ann 1, ben, ann 2, cleo");
    expect(await next()).toBe("ann 1, ben, ann 2, cleo, ann 3");
  });

  test("says of a limit without a queue whose calls are too many", async () => {
    const limits = { busyWith: "imports", atOnce: 2, mostWaiting: 1, eachWaiting: 0, waitMs: 0 } as const;
    const limiter = createConcurrencyLimiter(systemClock, limits);
    const end = Promise.withResolvers<void>();
    const running = ["ann", "ben"].map((owner) => limiter.run(owner, () => end.promise));
    await expect(limiter.run("ann", async () => {})).rejects.toMatchObject({ status: 429 });
    await expect(limiter.run("cleo", async () => {})).rejects.toMatchObject({ status: 503 });
    end.resolve();
    await Promise.all(running);
  });

  test("refuses a call that waited too long", async () => {
    const clock = createVirtualClock(createWork());
    const limiter = createConcurrencyLimiter(clock, { busyWith: "lists", atOnce: 1, mostWaiting: 3, waitMs: 10 });
    const first = Promise.withResolvers<string>();
    const ann = limiter.run("ann", () => first.promise);
    const ben = () => limiter.run("ben", async () => "ben");
    await expect(Promise.all([ben(), clock.pass(10)])).rejects.toMatchObject({ status: 503 });
    first.resolve("ann");
    expect([await ann, await ben()]).toEqual(["ann", "ben"]);
  });
});

test("serves four reads per user, queues a hundred, refuses more, not other users'", async () => {
  const app = Fastify();
  registerErrorHandler(app);
  const parts = { clock: systemClock, work: createWork() };
  const route = createRouter(app, { authenticate: signInById, hasSubscription: async () => true }, parts);
  const opened = Promise.withResolvers<void>();
  let underWay = 0;
  let most = 0;
  route({
    method: "GET",
    url: "/api/leads",
    scope: "read",
    id: "listLeads",
    summary: "Leads",
    tag: "Leads",
    gate: "subscribed",
    handler: async ({ caller }) => {
      if (caller.id === "ben") return {};
      underWay += 1;
      most = Math.max(most, underWay);
      await opened.promise;
      underWay -= 1;
      return {};
    },
  });
  const read = (id: string) => app.inject({ url: "/api/leads", headers: { authorization: `Bearer ${id}` } });
  const reads = Array.from({ length: 110 }, () => read("ann"));
  const refused = await Promise.race(reads);
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "3"]);
  const message = "Your other calls are still being answered. Try again in a few seconds.";
  expect(refused.json()).toEqual({ code: "too_many_requests", message, params: { reason: "reads" } });
  expect((await read("ben")).statusCode).toBe(200);
  opened.resolve();
  const answers = (await Promise.all(reads)).map(({ statusCode }) => statusCode);
  expect([answers.filter((status) => status === 200).length, most]).toEqual([104, 4]);
  await app.close();
});

test("limits a user's calls over two processes within a second, not other users'", () => {
  const listeners: ((payload: never) => void)[] = [];
  const bus = {
    publish: async (_topic: string, payload: never) => listeners.forEach((listener) => listener(payload)),
    on: (_topic: string, listener: (payload: never) => void) => (listeners.push(listener), () => {}),
  } as unknown as Bus;
  let now = 0;
  const deps = { bus, clock: { ...systemClock, monotonic: () => now } };
  const limit = { of: "user", perSecond: 10, most: 50 } as const;
  const processes = [createCallRate(deps, limit), createCallRate(deps, limit)];
  const refusals: unknown[] = [];
  const admitted = (process: number, calls: number, user = "ann") => {
    let count = 0;
    for (let call = 0; call < calls; call += 1) {
      try {
        processes[process]?.count(user);
        count += 1;
      } catch (error) {
        refusals.push(error);
      }
    }
    return count;
  };
  expect(admitted(0, 200)).toBe(50);
  expect(admitted(0, 5, "ben")).toBe(5);
  processes.forEach(({ publish }) => publish());
  expect(admitted(1, 200)).toBe(0);
  expect(admitted(1, 5, "ben")).toBe(5);
  now += 1_000;
  expect(admitted(0, 200) + admitted(1, 200)).toBe(20);
  processes.forEach(({ publish }) => publish());
  now += 1_000;
  expect(admitted(0, 200) + admitted(1, 200)).toBe(0);
  expect(refusals[0]).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
  return Promise.all(processes.map((process) => process.stop()));
});

test("refuses new requests while the event loop lags, except health and the page", async () => {
  const app = Fastify();
  registerErrorHandler(app);
  // The test triggers the check of the delay itself.
  let look = () => {};
  const { setTimeout: real } = globalThis;
  const timers = vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms: number) => {
    if (ms !== 1_000) return real(run, ms);
    look = run;
    return { unref() {}, refresh() {} };
  }) as typeof setTimeout);
  await registerShedder(app, 80);
  timers.mockRestore();
  const paths = ["/api/leads", "/healthz", "/inbox", "/assets/base.js"];
  for (const path of paths) app.get(path, () => ({}));
  const statuses = async () => (await Promise.all(paths.map((path) => app.inject(path)))).map((one) => one.statusCode);
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  look();
  // Node records each turn except the first. All of them are late, so a slow machine cannot lower the mean.
  for (let turn = 0; turn < 4; turn++) {
    const end = performance.now() + 150;
    while (performance.now() < end);
    await nextTurn();
  }
  look();
  const refused = await app.inject("/api/leads");
  expect([refused.headers["retry-after"], refused.json<{ code: string }>().code]).toEqual(["2", "overloaded"]);
  expect(await statuses()).toEqual([503, 200, 200, 200]);
  // No turn since the last check means that the machine slept; that is not load.
  look();
  look();
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await app.close();
});
