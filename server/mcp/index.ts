import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { toWebRequest } from "@modelcontextprotocol/node";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as v from "valibot";
import { SCOPES } from "../../domain/api-key.ts";
import { MCP_TOOLS } from "../../domain/mcp.ts";
import { systemClock } from "../core/clock.ts";
import type { CallingKey, Deps } from "../core/deps.ts";
import type { Metrics } from "../core/metrics.ts";
import { missingScope, ProblemError, refuse } from "../core/problem.ts";
import { RELEASE } from "../core/release.ts";
import type { Route } from "../core/routes.ts";
import { refusedAnswer, UNTRUSTED } from "./answers.ts";
import { createOwnApi } from "./own-api.ts";
import { callTool, toolNamed, toolsFor } from "./tools.ts";
import { isIP } from "node:net";
import type { Config } from "../core/config.ts";

const MCP_PATH = "/mcp";
/** A message has up to 4,096 characters, and a request one message. */
const BODY_MAX_BYTES = 65_536;
const MOST_AT_ONCE = 20;

const INSTRUCTIONS = `Leadloom keeps the conversations of a person who sells over Telegram. ${UNTRUSTED} Drafting is always safe: the seller sees a draft and decides. Send only what the seller asked you to send.`;

const Answer = v.looseObject({
  jsonrpc: v.pipe(v.literal("2.0"), v.description("The version of JSON-RPC; `id` and `result` or `error` follow.")),
});

type Call = { request: FastifyRequest; key: CallingKey };

/**
 * `POST /mcp`: the Model Context Protocol tools of the calling API key, over streamable HTTP. Requests are stateless, so any process can
 * answer any of them, also after a restart.
 */
export function registerMcp(route: Route, app: FastifyInstance, deps: Deps, metrics: Pick<Metrics, "countTool">): void {
  const checkAddress = createAddressCheck(deps.config);
  const calls = new WeakMap<Request, Call>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const call = requestInfo === undefined ? undefined : calls.get(requestInfo);
      if (call === undefined) throw new Error("The MCP server got no request.");
      return serverFor(app, call, metrics);
    },
    // The tools of a key never change, so there is nothing to subscribe to.
    { maxSubscriptions: 0 },
  );
  // Runs before the key is checked, so that a foreign page cannot find out whether a key exists.
  app.addHook("onRequest", async (request) => {
    if (request.routeOptions.url === MCP_PATH) checkAddress(request);
  });
  route({
    method: "POST",
    url: MCP_PATH,
    id: "callMcp",
    summary: "Speak the Model Context Protocol, over streamable HTTP",
    description:
      "JSON-RPC: one message in the body, or a list of at most twenty. The key's scopes decide which tools there are; a tool's error is part of the response. Clients of the 2025 protocol get an event stream that ends with the response. Notifications get 202 without a body.",
    tag: "Assistants",
    answer: Answer,
    refuses: { 400: ["bad_request"], 401: ["key_needed"], 403: ["wrong_address"], 413: ["too_large"] },
    gate: "subscribed",
    scope: SCOPES,
    bodyLimit: BODY_MAX_BYTES,
    handler: async ({ caller, request, reply }) => {
      const { key } = caller;
      if (key === null) throw keyNeeded();
      const { body } = request;
      if (body === undefined) throw refuse(400, "bad_request", { reason: "empty" });
      if (Array.isArray(body) && body.length > MOST_AT_ONCE)
        throw refuse(413, "too_large", { reason: "messages", limit: MOST_AT_ONCE });
      const { method, url, headers } = request;
      const webRequest = await toWebRequest({ method, url, headers, [Symbol.asyncIterator]: nothingMore }, body);
      calls.set(webRequest, { request, key });
      const answer = await handler.fetch(webRequest, { parsedBody: body });
      const text = await answer.text();
      return reply
        .code(answer.status)
        .type(answer.headers.get("content-type") ?? "application/json")
        .send(text);
    },
  });
}

/** The body has already been read. */
async function* nothingMore(): AsyncGenerator<never> {}

const keyNeeded = () => refuse(401, "key_needed");

/** Creates a server for one request, with the tools of its key. */
function serverFor(app: FastifyInstance, { request, key }: Call, metrics: Pick<Metrics, "countTool">): Server {
  const server = new Server(
    { name: "leadloom", title: "Leadloom", version: RELEASE },
    { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS },
  );
  const api = createOwnApi(app, request);
  server.setRequestHandler("tools/list", () => ({ tools: toolsFor(key.scopes) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const name = toolNamed(params.name);
    if (name === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no tool of that name.");
    const startedAt = systemClock.monotonic();
    const note = (outcome: string) => {
      metrics.countTool(name, outcome);
      request.log.info(
        { tool: name, outcome, ms: Math.round(systemClock.monotonic() - startedAt) },
        "a tool was called",
      );
    };
    try {
      const { scope } = MCP_TOOLS[name];
      if (!key.scopes.includes(scope)) throw missingScope([scope]);
      const answer = await callTool(name, api, params.arguments);
      note("done");
      return answer;
    } catch (error) {
      note(error instanceof ProblemError ? error.code : "failed");
      if (error instanceof ProblemError) return refusedAnswer(error);
      request.log.error({ err: error }, "a tool failed");
      return refusedAnswer(refuse(500, "internal_error"));
    }
  });
  return server;
}

/**
 * Creates the check that refuses requests of foreign pages in a browser on this machine, also after DNS rebinding: an unknown `Origin` or
 * `Host`.
 * Numeric addresses cannot be rebound.
 * @throws ProblemError 403
 */
function createAddressCheck({ publicUrl }: Pick<Config, "publicUrl">): (request: FastifyRequest) => void {
  const { hostname } = new URL(publicUrl);
  const hosts = [hostname, ...localhostAllowedHostnames()];
  const origins = localhostAllowedHostnames().includes(hostname) ? localhostAllowedOrigins() : [hostname];
  return ({ headers, host }) => {
    const { hostname: requestedHost = "" } = validateHostHeader(host, hosts) as { hostname?: string };
    if (!hosts.includes(requestedHost) && isIP(requestedHost.replace(/^\[|\]$/g, "")) === 0)
      throw refuse(403, "wrong_address", { reason: "host" });
    if (!validateOriginHeader(headers.origin, origins).ok) throw refuse(403, "wrong_address", { reason: "origin" });
  };
}
