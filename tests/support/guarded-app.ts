import { once } from "node:events";
import net from "node:net";
import { PassThrough } from "node:stream";
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";
import type { Logger } from "pino";
import * as v from "valibot";
import { createWork } from "../../server/core/work.ts";
import { systemClock } from "../../server/core/clock.ts";
import { readConfig } from "../../server/core/config.ts";
import { registerErrorHandler } from "../../server/core/errors.ts";
import { registerHardening, serverLimits } from "../../server/core/hardening.ts";
import { registerMethodCheck } from "../../server/core/methods.ts";
import { unauthorized } from "../../server/core/problem.ts";
import { createRouter, sendStream } from "../../server/core/routes.ts";

/** Starts a server with the production guards and a few routes to test them with. */
export async function startGuardedApp(
  options: { env?: Record<string, string>; logger?: Logger; handlerMs?: number } = {},
) {
  const config = readConfig({ LEADLOOM_DATA: "/tmp/leadloom-guarded", ...options.env });
  const app = Fastify({
    ...serverLimits(config),
    forceCloseConnections: true,
    logController: new LogController({ disableRequestLogging: true }),
    ...(options.logger === undefined ? {} : { loggerInstance: options.logger satisfies FastifyBaseLogger }),
  }) as unknown as FastifyInstance;
  registerErrorHandler(app);
  registerHardening(app, { config }, options.handlerMs);
  registerMethodCheck(app);
  const route = createRouter(
    app,
    { authenticate: () => Promise.reject(unauthorized()), hasSubscription: async () => false },
    { clock: systemClock, work: createWork() },
  );
  const open = {
    gate: "public" as const,
    scope: "public" as const,
    id: "test",
    summary: "a route",
    tag: "Account" as const,
  };
  route({ ...open, method: "GET", url: "/api/things", handler: async ({ request }) => ({ ip: request.ip }) });
  route({
    ...open,
    method: "POST",
    url: "/api/things",
    body: v.object({ value: v.optional(v.unknown()) }),
    handler: async ({ body }) => ({ body }),
  });
  route({
    ...open,
    method: "PATCH",
    url: "/api/things/:id",
    params: v.strictObject({ id: v.string() }),
    handler: async () => {
      throw new Error("a fault of ours");
    },
  });
  const download = new PassThrough();
  route({ ...open, method: "GET", url: "/api/download", handler: async ({ reply }) => reply.send(download) });
  const late = new PassThrough();
  route({
    ...open,
    method: "GET",
    url: "/api/late",
    handler: async ({ reply }) => {
      await once(reply.raw, "finish");
      return sendStream(reply, late);
    },
  });
  route({ ...open, method: "POST", url: "/api/stuck", handler: () => new Promise(() => {}) });
  for (const url of ["/api/telegram/qr-start", "/api/telegram/qr-complete"])
    route({ ...open, method: "POST", url, handler: () => new Promise(() => {}) });
  route({ ...open, method: "POST", url: "/api/upload", consumes: "multipart", handler: async () => ({}) });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { app, url, port: Number(new URL(url).port), download, late, stop: () => app.close() };
}

/** Writes bytes to a new connection, and more of them later, and returns the response. */
export const answerTo = (port: number, text: string, more?: Promise<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write(text));
    void more?.then((rest) => socket.write(rest));
    socket.setTimeout(10_000, () => socket.destroy(new Error("no answer")));
    let received = "";
    socket.on("data", (chunk) => (received += chunk.toString()));
    socket.on("error", (error: NodeJS.ErrnoException) => (received === "" ? reject(error) : undefined));
    socket.on("close", () => resolve(received));
  });
