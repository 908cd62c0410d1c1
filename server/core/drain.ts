import type { FastifyInstance, FastifyReply } from "fastify";
import { withTimeout, type Clock } from "./clock.ts";
import { restarting } from "./problem.ts";

/** What is under way may take so long once the server closes; five seconds later the process itself gives up. */
const ANSWERS_MS = 8_000;
/** For the last words on their way, and for connections that were opened and never used. */
const SPARE_MS = 1_000;
const LOOK_AGAIN_MS = 50;

/**
 * Lets a server stop between two answers. Once `isStopping`, every answer closes its connection. While it closes, the port stays open
 * until what was under way is answered, and whoever still comes is told to come back: refused connections would look like a crash. A
 * read that takes too long is told so too; a write is cut off, as nobody knows whether it was done. Must be registered before the routes.
 * @returns the last `preClose` hook: to be added when all others are, which end streams and long waits
 */
export function registerDrain(
  app: FastifyInstance,
  clock: Clock,
  isStopping: () => boolean,
  answersMs = ANSWERS_MS,
): () => Promise<void> {
  const underWay = new Set<FastifyReply>();
  const sent = new WeakSet<FastifyReply>();
  const answered = Promise.withResolvers<void>();
  let closingAt: number | null = null;
  app.addHook("preClose", async () => {
    closingAt = clock.monotonic();
  });
  app.addHook("onRequest", async (_request, reply) => {
    if (closingAt !== null) throw restarting();
    underWay.add(reply);
    const end = () => {
      underWay.delete(reply);
      if (closingAt !== null && underWay.size === 0) answered.resolve();
    };
    // 'finish': the last of it was handed to the network. A caller who hangs up ends it too.
    reply.raw.once("finish", end).once("close", end);
  });
  app.addHook("onSend", async (_request, reply) => {
    sent.add(reply);
    if (isStopping() || closingAt !== null) void reply.header("connection", "close");
  });
  const refuseReads = () => {
    for (const reply of underWay)
      if (["GET", "HEAD"].includes(reply.request.method) && !sent.has(reply) && !reply.sent)
        void reply.send(restarting());
  };
  return async () => {
    const patience = answersMs - (clock.monotonic() - (closingAt ?? clock.monotonic()));
    if (underWay.size > 0) {
      await withTimeout(clock, patience, answered.promise, () => {});
      refuseReads();
    }
    if (!app.server.listening) return;
    const timers = [
      clock.every(LOOK_AGAIN_MS, () => app.server.closeIdleConnections()),
      clock.after(SPARE_MS, () => app.server.closeAllConnections()),
    ];
    app.server.once("close", () => {
      for (const cancel of timers) cancel();
    });
  };
}
