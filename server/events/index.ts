import type { ServerResponse } from "node:http";
import type { Deps } from "../core/deps.ts";
import { tooMany } from "../core/problem.ts";
import type { Route } from "../core/routes.ts";

const PING_MS = 15_000;
const MAX_STREAMS_PER_USER = 20;

/** `GET /api/events`: what changed for the caller, as server-sent events. Read with fetch and a bearer token. */
export function registerEvents(route: Route, { bus }: Pick<Deps, "bus">): { close(): void; count(): number } {
  const streams = new Map<string, Set<ServerResponse>>();
  bus.on("event", ({ user_id, type, data }) => {
    const text = `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    streams.get(user_id)?.forEach((stream) => stream.write(text));
  });
  const all = () => [...streams.values()].flatMap((set) => [...set]);
  const sessionOf = new WeakMap<ServerResponse, string>();
  // Whoever is signed out hears nothing more; a tab whose own session goes on comes back by itself.
  bus.on("session.revoked", ({ session_id }) =>
    all()
      .filter((stream) => sessionOf.get(stream) === session_id)
      .forEach((stream) => stream.end()),
  );
  bus.on("sessions.changed", ({ user_id }) => streams.get(user_id)?.forEach((stream) => stream.end()));
  const ping = setInterval(() => {
    for (const stream of all()) stream.write(": ping\n\n");
  }, PING_MS);
  ping.unref();

  route({
    method: "GET",
    url: "/api/events",
    summary: "Live changes, as server-sent events",
    tag: "Events",
    gate: "signedIn",
    handler: async ({ caller, reply }) => {
      const open = streams.get(caller.id) ?? new Set();
      if (open.size >= MAX_STREAMS_PER_USER)
        throw tooMany("Too many open tabs. Close some and reload.", PING_MS / 1000);
      reply.hijack();
      const stream = reply.raw;
      stream.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache, no-store, no-transform",
        "x-accel-buffering": "no",
      });
      stream.write(": open\n\n");
      open.add(stream);
      sessionOf.set(stream, caller.sessionId);
      streams.set(caller.id, open);
      stream.on("close", () => {
        open.delete(stream);
        if (open.size === 0) streams.delete(caller.id);
      });
      return reply;
    },
  });
  return {
    count: () => [...streams.values()].reduce((total, open) => total + open.size, 0),
    close() {
      clearInterval(ping);
      for (const stream of all()) stream.end();
    },
  };
}
