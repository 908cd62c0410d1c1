import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from "fastify";
import { systemClock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Deps } from "./deps.ts";
import { registerSecurityHeaders, securityHeaders } from "./headers.ts";
import { registerJsonParser } from "./json.ts";
import { overloaded, type ProblemError, refuse } from "./problem.ts";
import type { RouteSpec } from "./routes.ts";

const JSON_MAX_BYTES = 1_048_576;
const HANDLER_MS = 30_000;
/** Longest wait for a response: the page waits 120 s for the approval of a QR code. */
const LONG_HANDLER_MS = 130_000;
/** A connection without traffic for this long is closed, such as one whose client stopped reading. Longer than any call may wait for its response. */
const SILENT_MS = 140_000;
/** Longest upload: an exported account has hundreds of megabytes. */
const UPLOAD_MS = 7 * LONG_HANDLER_MS;
const HEADERS_MS = 15_000;
const HEADER_MAX_BYTES = 16_384;
const MAX_HEADERS = 100;
const MAX_CONNECTIONS = 10_000;

type LimitsConfig = Pick<Config, "trustedProxies" | "publicUrl" | "qrImageOrigin">;

/** Limits of one request: bytes, headers, time. `X-Forwarded-For` counts only from trusted proxies. */
export const serverLimits = (config: LimitsConfig) =>
  ({
    bodyLimit: JSON_MAX_BYTES,
    connectionTimeout: SILENT_MS,
    requestTimeout: UPLOAD_MS,
    trustProxy: config.trustedProxies.length === 0 ? false : config.trustedProxies,
    // An address that cannot be decoded never reaches a route or its hooks.
    frameworkErrors: (_error: Error, _request: FastifyRequest, reply: FastifyReply) => {
      reply.raw.setHeaders(new Map(Object.entries(securityHeaders(config))));
      const problem = refuse(400, "bad_request", { reason: "address" });
      void reply.code(problem.status).send(problem.toJSON());
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code !== "ECONNRESET" && socket.writable) socket.write(rawResponse(problemOfConnection(error), config));
      socket.destroy(error);
    },
    http: { maxHeaderSize: HEADER_MAX_BYTES, headersTimeout: HEADERS_MS },
  }) satisfies FastifyServerOptions & { http: object };

/** Builds the raw response to a request that cannot be parsed, for which Fastify has no reply. */
function rawResponse(problem: ProblemError, config: LimitsConfig): string {
  const body = JSON.stringify(problem);
  const headers = {
    ...securityHeaders(config),
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, "", body].join("\r\n");
}

function problemOfConnection({ code }: NodeJS.ErrnoException): ProblemError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refuse(408, "request_timeout");
  if (code === "HPE_HEADER_OVERFLOW") return refuse(431, "too_large", { reason: "body" });
  return refuse(400, "bad_request", { reason: "unreadable" });
}

/** Calls that wait for Telegram or process a whole account. */
const LONG_CALLS = new Set([
  "/api/telegram/send-code",
  "/api/telegram/verify-code",
  "/api/telegram/verify-password",
  "/api/telegram/qr-start",
  "/api/telegram/qr-complete",
  "/api/account",
  "/api/account/export",
  "/api/leads/export",
]);

const isUpload = ({ config }: FastifyRequest["routeOptions"]): boolean => {
  const { spec } = config as { spec?: Pick<RouteSpec<undefined, undefined, undefined, "public">, "consumes"> };
  return spec?.consumes === "multipart";
};

/** Registers the guards of every route: headers, JSON limits, timeouts. Must be called before the routes are registered. */
export function registerHardening(
  app: FastifyInstance,
  { config }: Pick<Deps, "config">,
  handlerMs = HANDLER_MS,
): void {
  app.server.maxHeadersCount = MAX_HEADERS;
  app.server.maxConnections = MAX_CONNECTIONS;
  registerSecurityHeaders(app, config);
  registerTimeout(app, handlerMs);
  registerLinger(app);
  registerJsonParser(app);
}

/**
 * Answers a call whose response does not begin in time. The time restarts at the end of the request's body. Fastify's `handlerTimeout`
 * would end there, and would cut off a response that takes longer to download.
 */
function registerTimeout(app: FastifyInstance, handlerMs: number): void {
  app.addHook("onRequest", async (request, reply) => {
    const isUploadCall = isUpload(request.routeOptions);
    const answerMs = isUploadCall || LONG_CALLS.has(request.routeOptions.url ?? "") ? LONG_HANDLER_MS : handlerMs;
    let bodyMs = isUploadCall ? UPLOAD_MS : answerMs;
    const startTimer = () =>
      systemClock.after(answerMs, () => {
        if (reply.sent || reply.raw.headersSent) return;
        const { complete: isComplete } = request.raw;
        bodyMs -= answerMs;
        // A body that arrives too slowly is the client's fault, not a sign of load.
        if (!isComplete && bodyMs > 0) cancel = startTimer();
        else if (!isComplete) void reply.header("connection", "close").send(refuse(408, "request_timeout"));
        else void reply.send(overloaded());
      });
    let cancel = startTimer();
    request.raw.once("end", () => {
      cancel();
      if (!reply.sent) cancel = startTimer();
    });
    reply.raw.once("close", () => cancel());
  });
}

/** How much of a refused body is read before the connection is closed. */
const READ_MOST_BYTES = 64 * 1_048_576;

/**
 * Keeps the connection open until the client has sent a body that is too large. If it closed earlier, the client's writes would fail and
 * it would never read the refusal. Must be called before the routes are registered.
 */
function registerLinger(app: FastifyInstance): void {
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
