import type { FastifyInstance, FastifyRequest } from "fastify";

/** So much of a refused body is read; a longer one is broken off. */
const READ_MOST_BYTES = 64 * 1_048_576;

/**
 * Keeps the connection of a body that is too large open until the client has sent it: closed before, it breaks under the client's writes,
 * and the refusal is lost. Must be called before the routes are registered.
 */
export function registerLinger(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply) => {
    if (reply.statusCode !== 413 || request.raw.complete) return;
    reply.removeHeader("connection");
    discardBody(request);
  });
}

function discardBody({ raw }: FastifyRequest): void {
  let read = 0;
  raw.on("data", (chunk: Buffer) => {
    read += chunk.length;
    if (read > READ_MOST_BYTES) raw.destroy();
  });
  raw.resume();
}
