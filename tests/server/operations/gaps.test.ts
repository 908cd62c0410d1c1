import type pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { startBatchWorker } from "../../../server/batch/worker.ts";
import { onTopic, runWorker } from "../../../server/core/worker.ts";
import type { Bus } from "../../../server/core/bus.ts";
import type { Deps, Running } from "../../../server/core/deps.ts";
import { listenOnPostgres } from "../../../server/db/listening.ts";
import { startEraser } from "../../../server/exclusions/erase.ts";
import type { SenderAccount } from "../../../server/outbox/port.ts";
import { startReminderChecks } from "../../../server/reminders/verify.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { openStore, partsOn } from "../../support/parts.ts";

const store = await openStore();
afterAll(() => store.close());

const USER = "00000000-0000-0000-0000-000000000001";

/** Creates a bus that reports only gaps, and a database that counts statements. */
async function startWithGaps() {
  const gaps = new Set<() => void>();
  let queries = 0;
  const bus = {
    on: () => () => {},
    onGap(listener: () => void) {
      gaps.add(listener);
      return () => gaps.delete(listener);
    },
    publish: async () => {},
    publishAll: async () => {},
  } as Bus;
  const db = store.opened.db.withPlugin({
    transformQuery({ node }) {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const clock = createVirtualClock(store.work);
  const deps = { ...(await partsOn(store, clock)), db, bus };
  return {
    deps,
    clock,
    queries: () => queries,
    gap: () => gaps.forEach((listener) => listener()),
    listening: () => gaps.size,
  };
}

const account = {
  accountId: USER,
  userId: USER,
  telegramUserId: "1",
  signal: new AbortController().signal,
} as SenderAccount;
const parts: Record<string, (deps: Deps) => Running | Promise<Running>> = {
  "batches that were ordered": startBatchWorker,
  "people who were excluded": startEraser,
  "channels of saved reminders": (deps) => startReminderChecks(deps, account),
  "orders of an account": (deps) =>
    runWorker(deps, {
      name: "orders",
      wakeOn: onTopic(deps, "import.requested", account.userId),
      idleMs: 600_000,
      work: async () => {
        await deps.db.selectFrom("chat_imports").select("id").limit(1).execute();
        return null;
      },
      onFailure: () => {},
    }),
};

test.each(Object.entries(parts))("checks %s again after notifications may have been missed", async (_what, start) => {
  // With the longest random delay, an account checks again after half a minute.
  vi.spyOn(Math, "random").mockReturnValue(1);
  const { deps, clock, queries, gap, listening } = await startWithGaps();
  const running = await start(deps);
  await store.idle();
  const before = queries();
  expect(before).toBeGreaterThan(0);
  gap();
  await clock.pass(30_000);
  expect(queries()).toBeGreaterThan(before);
  await running.stop();
  expect(listening()).toBe(0);
});

test("drops a connection that cannot listen, and tries the next", async () => {
  let cut = 0;
  const client = {
    on: () => {},
    connect: async () => {},
    query: async () => {
      throw new Error("Query read timeout");
    },
    connection: { stream: { destroy: () => void (cut += 1) } },
  } as unknown as pg.Client;
  const listening = listenOnPostgres(() => client);
  await expect(listening.listen("leadloom", () => {})).rejects.toThrow("Query read timeout");
  expect(cut).toBe(1);
  await listening.close();
});
