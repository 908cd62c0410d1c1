import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import Fastify from "fastify";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { EVENT_TYPES } from "../../../domain/events.ts";
import { openSession } from "../../../server/auth/sessions.ts";
import { publishEvent, type Bus } from "../../../server/core/bus.ts";
import type { Access } from "../../../server/core/deps.ts";
import { registerErrorHandler } from "../../../server/core/errors.ts";
import { createRouter } from "../../../server/core/routes.ts";
import { registerEvents } from "../../../server/events/index.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { addAuthUser, openStore, partsOn, signInById } from "../../support/parts.ts";

const store = await openStore();
const clock = createVirtualClock(store.work);
const deps = await partsOn(store, clock);
const { bus } = deps;
const app = Fastify({ forceCloseConnections: true });
registerErrorHandler(app);
let admission = Promise.resolve();
const sessions = new Map<string, string>();
const access: Access = {
  async authenticate(request) {
    await admission;
    const caller = await signInById(request);
    return { ...caller, sessionId: sessions.get(caller.id) ?? randomUUID() };
  },
  hasSubscription: async () => true,
};
const route = createRouter(app, access, deps);
const gaps: (() => void)[] = [];
const onGap: Bus["onGap"] = (listener) => {
  gaps.push(listener);
  return bus.onGap(listener);
};
const events = registerEvents(route, { ...deps, bus: { ...bus, onGap } });
const url = await app.listen({ port: 0, host: "127.0.0.1" });
afterAll(async () => {
  events.close();
  await app.close();
  await store.close();
});

let [ann, bob] = ["", ""];
beforeEach(() => {
  [ann, bob] = [randomUUID(), randomUUID()];
});

/** Opens a user's event stream until the end of the test. `textUntil` resolves with all text so far once it contains the given text. */
async function open(userId: string, query = "") {
  const abort = new AbortController();
  const response = await fetch(`${url}/api/events${query}`, {
    headers: { authorization: `Bearer ${userId}` },
    signal: abort.signal,
  });
  let text = "";
  let wake = () => {};
  const reading = (async () => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) return;
      text += part.value;
      wake();
    }
  })().catch(() => {});
  onTestFinished(async () => {
    abort.abort();
    await reading;
  });
  return {
    response,
    textUntil: async (wanted: string) => {
      while (!text.includes(wanted)) await new Promise<void>((resolve) => (wake = resolve));
      return text;
    },
    ended: reading,
  };
}
/** Returns the server's side of the next request. */
const nextResponse = async () => ((await once(app.server, "request")) as [unknown, ServerResponse])[1];
/** Opens a user's event stream with a client that reads nothing. */
function openUnread(userId: string) {
  const client = connect(Number(new URL(url).port), "127.0.0.1");
  client.pause();
  client.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${userId}\r\n\r\n`);
  return client;
}
const event = (type: string, data: object = {}) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

const everything = EVENT_TYPES.filter((type) => type !== "telegram.qr")
  .map((type) => event(type))
  .join("");

test("sends a user's pages only that user's changes, after the commit", async () => {
  const [annPage, bobPage] = await Promise.all([open(ann), open(bob)]);
  expect(annPage.response.headers.get("content-type")).toContain("text/event-stream");
  await deps.db
    .transaction()
    .execute(async (tx) => {
      await publishEvent(bus, ann, "lead.changed", { id: "rolled-back" }, tx);
      throw new Error("roll back");
    })
    .catch(() => {});
  await deps.db.transaction().execute((tx) => publishEvent(bus, ann, "lead.changed", { id: "kept" }, tx));
  await publishEvent(bus, bob, "bulk.changed");
  await publishEvent(bus, ann, "telegram.changed");
  expect(await annPage.textUntil("telegram.changed")).toBe(
    `: open\n\n${event("lead.changed", { id: "kept" })}${event("telegram.changed")}`,
  );
  expect(await bobPage.textUntil("bulk.changed")).toBe(`: open\n\n${event("bulk.changed")}`);
});

test("sends one event per kind of change to a page that was away", async () => {
  await publishEvent(bus, ann, "inbox.changed");
  await clock.pass(10_000);
  await publishEvent(bus, ann, "lead.changed", { id: "first" });
  await publishEvent(bus, ann, "lead.changed", { id: "second" });
  await publishEvent(bus, ann, "telegram.changed");
  await publishEvent(bus, bob, "bulk.changed");
  await clock.pass(5_000);
  const late = await open(ann, "?missed_ms=6000");
  expect(await late.textUntil("telegram.changed")).toBe(
    `: open\n\n${event("lead.changed")}${event("telegram.changed")}`,
  );
  const attentive = await open(ann);
  expect(await attentive.textUntil("open")).toBe(": open\n\n");
  const away = await open(ann, "?missed_ms=120001");
  expect(await away.textUntil(everything)).toBe(`: open\n\n${everything}`);
});

test("sends the id of a single missed lead, and the last QR code", async () => {
  await clock.pass(10_000);
  await publishEvent(bus, ann, "lead.changed", { id: "only" });
  await publishEvent(bus, ann, "lead.changed", { id: "only" });
  await publishEvent(bus, ann, "telegram.qr", { qr_url: "tg://first" });
  await publishEvent(bus, ann, "telegram.qr", { qr_url: "tg://second" });
  await clock.pass(1_000);
  const late = await open(ann, "?missed_ms=2000");
  expect(await late.textUntil("tg://second")).toBe(
    `: open\n\n${event("lead.changed", { id: "only" })}${event("telegram.qr", { qr_url: "tg://second" })}`,
  );
});

test("sends ledger events at most once a second, of the user only", async () => {
  const [annPage, bobPage] = await Promise.all([open(ann), open(bob)]);
  const markAfter = async (ms: number, mark: string): Promise<string> => {
    await clock.pass(ms);
    await publishEvent(bus, ann, "lead.changed", { id: mark });
    await publishEvent(bus, bob, "lead.changed", { id: mark });
    await bobPage.textUntil(mark);
    return annPage.textUntil(mark);
  };
  for (let sent = 0; sent < 20; sent += 1) await bus.publish("ledger.changed", { owner_id: ann });
  await bus.publish("outbox.ready", { owner_id: ann });
  const countIn = (text: string) => text.split(event("ledger.changed")).length - 1;
  expect(countIn(await markAfter(999, "before"))).toBe(1);
  expect(countIn(await markAfter(1, "after"))).toBe(2);
  expect(countIn(await markAfter(10_000, "later"))).toBe(2);
  expect(await bobPage.textUntil("later")).not.toContain("ledger");
});

test("disconnects a page that does not read its stream", async () => {
  const stuck = openUnread(ann);
  const isCut = new Promise((resolve) => stuck.once("close", resolve));
  const lively = await open(ann);
  const long = "x".repeat(7_000);
  // More than the system's socket buffers hold.
  for (let batch = 0; batch < 30; batch++)
    await Promise.all(Array.from({ length: 50 }, () => publishEvent(bus, ann, "lead.changed", { id: long })));
  await publishEvent(bus, ann, "lead.changed", { id: "last" });
  expect((await lively.textUntil("last")).endsWith(event("lead.changed", { id: "last" }))).toBe(true);
  stuck.resume();
  await isCut;
});

test("writes nothing to an ended stream, and disconnects a page that does not read it", async () => {
  const accepted = nextResponse();
  const stuck = openUnread(ann);
  const stream = await accepted;
  const errors: unknown[] = [];
  stream.on("error", (error) => errors.push(error));
  const long = "x".repeat(7_000);
  // The system's socket buffers take the first megabytes.
  while (stream.writableLength < 100_000) {
    await Promise.all(Array.from({ length: 20 }, () => publishEvent(bus, ann, "lead.changed", { id: long })));
    await store.idle();
  }
  await bus.publish("sessions.changed", { user_id: ann });
  await publishEvent(bus, ann, "bulk.changed");
  await store.idle();
  await clock.pass(30_000);
  expect([errors, stream.writableEnded, stream.destroyed]).toEqual([[], true, true]);
  stuck.destroy();
});

test("does not count pages that disconnected before they were admitted", async () => {
  const held = Promise.withResolvers<void>();
  admission = held.promise;
  for (let tab = 0; tab < 20; tab += 1) {
    const accepted = nextResponse();
    const page = openUnread(ann);
    const closed = once(await accepted, "close");
    page.destroy();
    await closed;
  }
  held.resolve();
  expect((await open(ann)).response.status).toBe(200);
});

test("ends streams whose session ended in a gap, and reports the gap to the rest", async () => {
  [ann, bob] = [(await addAuthUser(deps.db)).id, (await addAuthUser(deps.db)).id];
  for (const userId of [ann, bob]) {
    sessions.set(userId, (await openSession(deps.db, userId, clock.iso())).id);
  }
  const accepted = nextResponse();
  const annPage = await open(ann);
  const [stream, bobPage] = [await accepted, await open(bob)];
  await deps.db.deleteFrom("auth.sessions").where("user_id", "=", ann).execute();
  for (const report of gaps) report();
  await store.idle();
  await publishEvent(bus, ann, "lead.changed", { id: "secret" });
  await publishEvent(bus, bob, "lead.changed", { id: "known" });
  expect(await bobPage.textUntil("known")).toBe(`: open\n\n${everything}${event("lead.changed", { id: "known" })}`);
  expect(stream.writableEnded).toBe(true);
  await annPage.ended;
  expect(await annPage.textUntil("open")).toBe(`: open\n\n${everything}`);
});

test("sends a ping every fifteen seconds", async () => {
  const page = await open(ann);
  await clock.pass(15_000);
  expect(await page.textUntil("ping")).toBe(": open\n\n: ping\n\n");
});
