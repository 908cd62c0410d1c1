import { connect } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { EVENT_TYPES } from "../../../domain/events.ts";
import { publishEvent } from "../../../server/core/bus.ts";
import { sharedServer } from "../../support/servers.ts";

const server = await sharedServer();
let startedAt = 0;
beforeAll(async () => {
  startedAt = performance.now();
});
/** For how long a page would not have heard of anything yet: the call that says so may be long on its way. */
const missedMs = () => Math.floor(Math.min(performance.now() - startedAt, 60_000));

/** Opens the stream and gives what arrives, as text, until it is closed. */
async function open(token: string, query = "") {
  const abort = new AbortController();
  const response = await fetch(`${server.url}/api/events${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  });
  let text = "";
  const reading = (async () => {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) return;
      text += part.value;
    }
  })().catch(() => {});
  return { response, text: () => text, close: async () => (abort.abort(), reading) };
}

test("a user's open pages hear of his changes, after their transaction, and of nobody else's", async () => {
  const [ann, bob] = [await server.signUp(), await server.signUp()];
  const pages = await Promise.all([open(ann.token), open(bob.token)]);
  const [annPage, bobPage] = pages;
  expect(annPage?.response.headers.get("content-type")).toContain("text/event-stream");
  const { db, bus } = server.deps;
  await db
    .transaction()
    .execute(async (tx) => {
      await publishEvent(bus, ann.userId, "lead.changed", { id: "rolled-back" }, tx);
      throw new Error("roll back");
    })
    .catch(() => {});
  await db.transaction().execute((tx) => publishEvent(bus, ann.userId, "lead.changed", { id: "kept" }, tx));
  await expect.poll(() => annPage?.text()).toContain('event: lead.changed\ndata: {"id":"kept"}\n\n');
  await publishEvent(bus, bob.userId, "bulk.changed");
  await expect.poll(() => bobPage?.text()).toContain("event: bulk.changed");
  expect(annPage?.text()).not.toContain("rolled-back");
  expect(annPage?.text()).not.toContain("bulk.changed");
  expect(bobPage?.text()).not.toContain("lead.changed");
  await Promise.all(pages.map((page) => page.close()));
});

test("a page that heard nothing for a while is told of what changed meanwhile, once a kind, and of nobody else's", async () => {
  const [ann, bob] = [await server.signUp(), await server.signUp()];
  const { bus } = server.deps;
  const watching = await open(ann.token);
  await publishEvent(bus, ann.userId, "lead.changed", { id: "first" });
  await publishEvent(bus, ann.userId, "lead.changed", { id: "second" });
  await publishEvent(bus, ann.userId, "telegram.changed");
  await publishEvent(bus, bob.userId, "bulk.changed");
  await expect.poll(() => watching.text()).toContain("event: telegram.changed");
  const late = await open(ann.token, `?missed_ms=${missedMs()}`);
  await expect
    .poll(() => late.text())
    .toBe(": open\n\nevent: lead.changed\ndata: {}\n\nevent: telegram.changed\ndata: {}\n\n");
  const attentive = await open(ann.token);
  await expect.poll(() => attentive.text()).toBe(": open\n\n");
  const away = await open(ann.token, "?missed_ms=120001");
  const everything = EVENT_TYPES.filter((type) => type !== "telegram.qr").map((type) => `event: ${type}\ndata: {}\n\n`);
  await expect.poll(() => away.text()).toBe(`: open\n\n${everything.join("")}`);
  await Promise.all([watching, late, attentive, away].map((page) => page.close()));
});

test("a page that missed changes of one lead alone is told which", async () => {
  const ann = await server.signUp();
  const { bus } = server.deps;
  const watching = await open(ann.token);
  await publishEvent(bus, ann.userId, "lead.changed", { id: "only" });
  await publishEvent(bus, ann.userId, "lead.changed", { id: "only" });
  await publishEvent(bus, ann.userId, "telegram.qr", { qr_url: "tg://first" });
  await publishEvent(bus, ann.userId, "telegram.qr", { qr_url: "tg://second" });
  await expect.poll(() => watching.text()).toContain("tg://second");
  const late = await open(ann.token, `?missed_ms=${missedMs()}`);
  await expect
    .poll(() => late.text())
    .toBe(
      ': open\n\nevent: lead.changed\ndata: {"id":"only"}\n\nevent: telegram.qr\ndata: {"qr_url":"tg://second"}\n\n',
    );
  await Promise.all([watching, late].map((page) => page.close()));
});

test("a page hears that the ledger changed once a second at most, however much goes out, and of nobody else's", async () => {
  const [ann, bob] = [await server.signUp(), await server.signUp()];
  const { bus } = server.deps;
  const [annPage, bobPage] = await Promise.all([open(ann.token), open(bob.token)]);
  const from = performance.now();
  for (let sent = 0; sent < 20; sent += 1) await bus.publish("ledger.changed", { owner_id: ann.userId });
  await bus.publish("outbox.ready", { owner_id: ann.userId });
  await publishEvent(bus, ann.userId, "bulk.changed");
  await publishEvent(bus, bob.userId, "bulk.changed");
  await expect.poll(() => annPage.text()).toContain("event: bulk.changed");
  await expect.poll(() => bobPage.text()).toContain("event: bulk.changed");
  const told = () => annPage.text().split("event: ledger.changed\ndata: {}\n\n").length - 1;
  // The first of them at once, the rest together a second later.
  await expect.poll(told).toBeGreaterThanOrEqual(2);
  expect(told()).toBeLessThanOrEqual(2 + Math.floor((performance.now() - from) / 1_000));
  expect(bobPage.text()).not.toContain("ledger");
  await Promise.all([annPage, bobPage].map((page) => page.close()));
});

test("a page that does not take up what it is told is cut off, and comes back", async () => {
  const ann = await server.signUp();
  const { bus } = server.deps;
  const stuck = connect(Number(new URL(server.url).port), "127.0.0.1");
  stuck.pause();
  stuck.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ann.token}\r\n\r\n`);
  const isCut = new Promise((resolve) => stuck.once("close", resolve));
  const lively = await open(ann.token);
  await expect.poll(() => lively.text()).toContain(": open");
  const long = "x".repeat(7_000);
  // More than the system's own buffers between the two take in.
  for (let batch = 0; batch < 30; batch++)
    await Promise.all(Array.from({ length: 50 }, () => publishEvent(bus, ann.userId, "lead.changed", { id: long })));
  await publishEvent(bus, ann.userId, "lead.changed", { id: "last" });
  await expect.poll(() => lively.text().endsWith('{"id":"last"}\n\n')).toBe(true);
  stuck.resume();
  await isCut;
  await lively.close();
});

test("the stream asks for a token", async () => {
  expect((await server.call("GET", "/api/events")).status).toBe(401);
});
