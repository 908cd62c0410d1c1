import type { FastifyInstance } from "fastify";
import { ProblemError } from "./problem.ts";

const GRACE_MS = 6_000;
const LOOK_AGAIN_MS = 50;

/**
 * Lets connections end between two answers: once `isStopping`, every answer closes its connection, and what still arrives after
 * the port was closed is told to come back. Must be registered before the routes.
 */
export function registerDrain(app: FastifyInstance, isStopping: () => boolean): void {
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  app.addHook("onRequest", async () => {
    if (isClosing)
      throw new ProblemError(503, "restarting", "The server is restarting. Try again in a few seconds.", {
        retryAfterSeconds: 2,
      });
  });
  app.addHook("onSend", async (_request, reply) => {
    if (isStopping() || isClosing) void reply.header("connection", "close");
  });
}

/** Closes the port and waits for the answers under way; what takes longer than six seconds is cut off. */
export async function closeGently(app: FastifyInstance): Promise<void> {
  const looking = setInterval(() => app.server.closeIdleConnections(), LOOK_AGAIN_MS);
  const cut = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  await app.close().finally(() => {
    clearInterval(looking);
    clearTimeout(cut);
  });
}
