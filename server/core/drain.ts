import type { FastifyInstance, FastifyReply } from "fastify";
import { withTimeout, type Clock } from "./clock.ts";
import { restarting } from "./problem.ts";

/** Time for running requests once the server closes. Five seconds later the process exits. */
const ANSWERS_MS = 8_000;
/** Time for the last bytes of responses, and for connections that never sent a request. */
const SPARE_MS = 1_000;
const LOOK_AGAIN_MS = 50;

/**
 * Lets a server finish running requests before it stops. Once `isStopping`, every response closes its connection. The port stays open until
 * all running requests are answered. New requests get a 503 with Retry-After, since refused connections would look like a crash. A read
 * that takes too long gets it too; a write is cut off, because its outcome is unknown. Must be registered before the routes.
 * @returns the last `preClose` hook; add it after those that end streams and long waits
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
    // 'finish': all bytes were passed to the network. A caller who hangs up ends the request too.
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
