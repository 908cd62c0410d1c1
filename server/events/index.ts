import type { ServerResponse } from "node:http";
import * as v from "valibot";
import { EVENT_TYPES, type EventType } from "../../domain/events.ts";
import { filterOpenSessions } from "../auth/sessions.ts";
import type { Cancel, Clock } from "../core/clock.ts";
import type { Caller, Deps } from "../core/deps.ts";
import { refuse } from "../core/problem.ts";
import type { Route } from "../core/routes.ts";
import { fieldProblem } from "../../domain/schema-message.ts";

const PING_MS = 15_000;
const MAX_STREAMS_PER_USER = 20;
/** A page that reads so slowly is disconnected; it reconnects and gets what it missed. */
const MAX_BACKLOG_BYTES = 262_144;
/** A page has this long to read the rest of an ended stream. */
const END_MS = 5_000;
/** Pages are notified of sends at most this often per owner. */
const LEDGER_MS = 1_000;
/** A page that was away for longer gets every event. */
const RECALL_MS = 120_000;
const Query = v.strictObject({
  missed_ms: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,9}$/, fieldProblem("whole_number")),
      v.transform(Number),
      v.description("For how many milliseconds nothing was heard: what changed in them is told first."),
    ),
    "0",
  ),
});

/**
 * `GET /api/events`: changes for the caller as server-sent events. Read with fetch and a bearer token. `missed_ms` is how long the page
 * heard nothing: it first gets the events of that time.
 */
export function registerEvents(
  route: Route,
  { bus, clock, db, logger, work }: Pick<Deps, "bus" | "clock" | "db" | "logger" | "work">,
): { close(): void; count(): number } {
  const streams = new Map<string, Set<ServerResponse>>();
  const callers = new WeakMap<ServerResponse, Caller>();
  const all = () => [...streams.values()].flatMap((set) => [...set]);
  const remove = (stream: ServerResponse) => {
    const userId = callers.get(stream)?.id ?? "";
    const open = streams.get(userId);
    open?.delete(stream);
    if (open?.size === 0) streams.delete(userId);
  };
  /** Ends a stream. It is removed at once, because a write after the end is an uncaught error. */
  const endStream = (stream: ServerResponse) => {
    remove(stream);
    stream.end();
    const cancel = clock.after(END_MS, () => stream.destroy());
    stream.once("close", cancel);
  };
  const recent = createRecentEvents(clock);
  let isClosed = false;
  const send = ({ user_id, type, data }: { user_id: string; type: EventType; data: Record<string, unknown> }) => {
    const text = `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    recent.keep(user_id, type, text);
    streams.get(user_id)?.forEach((stream) => {
      if (stream.writableLength > MAX_BACKLOG_BYTES) stream.destroy();
      else stream.write(text);
    });
  };
  bus.on("event", send);
  const ledgers = createThrottle(clock, LEDGER_MS, (ownerId) =>
    send({ user_id: ownerId, type: "ledger.changed", data: {} }),
  );
  bus.on("outbox.ready", ({ owner_id }) => ledgers.touch(owner_id));
  bus.on("ledger.changed", ({ owner_id }) => ledgers.touch(owner_id));
  // The missed events are unknown, so all pages reload everything. A session may have ended in the gap.
  bus.onGap(() => {
    recent.restart();
    const text = allEvents();
    for (const stream of all()) stream.write(text);
    void work.track("check the sessions of event streams", endSignedOut(all()));
  });
  const sessionOf = (stream: ServerResponse) => callers.get(stream)?.sessionId ?? "";
  const endSignedOut = async (open: ServerResponse[]) => {
    try {
      const sessions = await filterOpenSessions(db, [...new Set(open.map(sessionOf))]);
      open.filter((stream) => !sessions.has(sessionOf(stream))).forEach(endStream);
    } catch (error) {
      logger.warn({ err: error }, "the sessions of event streams could not be checked, so all streams end");
      open.forEach(endStream);
    }
  };
  // A signed-out session gets no more events. Tabs whose own session continues reconnect.
  bus.on("session.revoked", ({ session_id }) =>
    all()
      .filter((stream) => sessionOf(stream) === session_id)
      .forEach(endStream),
  );
  bus.on("sessions.changed", ({ user_id }) => streams.get(user_id)?.forEach(endStream));
  const stopPings = clock.every(PING_MS, () => {
    recent.forget();
    for (const stream of all()) stream.write(": ping\n\n");
  });

  route({
    method: "GET",
    url: "/api/events",
    scope: "person",
    id: "streamEvents",
    summary: "Live changes, as server-sent events",
    description:
      "Each event has its name in the line `event` and JSON in the line `data`; a comment every 15 seconds is a heartbeat. After a break, pass the milliseconds since the last event or heartbeat in `missed_ms`. The stream then starts with one event for each type that occurred in that time; its data is empty if there were several. After more than two minutes, it starts with every type. At most twenty streams at once.",
    media: "text/event-stream",
    tag: "Events",
    gate: "signedIn",
    query: Query,
    handler: async ({ caller, query, reply }) => {
      const open = streams.get(caller.id) ?? new Set();
      if (open.size >= MAX_STREAMS_PER_USER)
        throw refuse(429, "too_many_requests", { reason: "tabs" }, { retryAfterSeconds: PING_MS / 1000 });
      reply.hijack();
      const stream = reply.raw;
      // The page disconnected before it was admitted, so 'close' has already been emitted.
      if (stream.destroyed) return reply;
      stream.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache, no-store, no-transform",
        "x-accel-buffering": "no",
      });
      stream.write(`: open\n\n${recent.since(caller.id, query.missed_ms)}`);
      // A stream that was admitted just before the shutdown; the page reconnects to another server.
      if (isClosed) {
        endStream(stream);
        return reply;
      }
      open.add(stream);
      callers.set(stream, caller);
      streams.set(caller.id, open);
      stream.on("close", () => remove(stream));
      return reply;
    },
  });
  return {
    count: () => [...streams.values()].reduce((total, open) => total + open.size, 0),
    close() {
      isClosed = true;
      stopPings();
      ledgers.stop();
      all().forEach(endStream);
    },
  };
}

/** Calls at once, and then at most once per pause for each key, however often it is touched. */
function createThrottle(clock: Clock, pauseMs: number, call: (key: string) => void) {
  const resting = new Map<string, { cancel: Cancel; isTouched: boolean }>();
  const rest = (key: string) => {
    call(key);
    const cancel = clock.after(pauseMs, () => {
      const isTouched = resting.get(key)?.isTouched ?? false;
      resting.delete(key);
      if (isTouched) rest(key);
    });
    resting.set(key, { cancel, isTouched: false });
  };
  return {
    touch(key: string): void {
      const known = resting.get(key);
      if (known === undefined) rest(key);
      else known.isTouched = true;
    },
    stop(): void {
      for (const { cancel } of resting.values()) cancel();
      resting.clear();
    },
  };
}

const anyOf = (type: string) => `event: ${type}\ndata: {}\n\n`;

/** Returns every event once: anything that a page shows may have changed. */
const allEvents = (): string =>
  EVENT_TYPES.filter((type) => type !== "telegram.qr")
    .map(anyOf)
    .join("");

/**
 * Remembers each user's latest event of every type, for as long as a page may ask for it. If several objects of a type changed, the page
 * gets an event for all of them; only a new QR code replaces earlier ones.
 */
function createRecentEvents({ monotonic }: Clock) {
  /** `otherAt` is the time of the latest event about another object */
  const users = new Map<string, Map<string, { at: number; text: string; otherAt: number }>>();
  let startedAt = monotonic();
  return {
    /** Forgets everything: what happened before is unknown. */
    restart(): void {
      startedAt = monotonic();
    },
    keep(userId: string, type: string, text: string): void {
      const known = users.get(userId) ?? new Map<string, { at: number; text: string; otherAt: number }>();
      const last = known.get(type);
      const otherAt = last === undefined ? -Infinity : last.text === text ? last.otherAt : last.at;
      users.set(userId, known.set(type, { at: monotonic(), text, otherAt }));
    },
    forget(): void {
      const oldest = monotonic() - RECALL_MS;
      for (const [userId, known] of users) {
        for (const [type, { at }] of known) if (at < oldest) known.delete(type);
        if (known.size === 0) users.delete(userId);
      }
    },
    since(userId: string, missedMs: number): string {
      const from = monotonic() - missedMs;
      if (missedMs > RECALL_MS || from < startedAt) return allEvents();
      return [...(users.get(userId) ?? [])]
        .filter(([, { at }]) => at >= from)
        .map(([type, { text, otherAt }]) => (otherAt >= from && type !== "telegram.qr" ? anyOf(type) : text))
        .join("");
    },
  };
}
