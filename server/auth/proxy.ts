import proxy from "@fastify/http-proxy";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { decodeJwt } from "jose";
import type { Config } from "../core/config.ts";
import type { Deps } from "../core/deps.ts";

type Supabase = Extract<Config["auth"], { kind: "supabase" }>;

const UPSTREAM_MS = 25_000;
/** Answers of ours that an upstream's must not replace. */
const OWN_HEADERS = ["content-security-policy", "strict-transport-security", "set-cookie", "server", "via"];
const isOwn = (name: string) => OWN_HEADERS.includes(name) || name.startsWith("access-control-");

/**
 * Passes one of Supabase's prefixes on unchanged: the browser's key and token, the caller's address, no cookies either way.
 * @param onAnswer told of every upstream answer before it is passed back
 */
export function registerSupabaseProxy(
  app: FastifyInstance,
  supabase: Supabase,
  prefix: "/auth/v1" | "/rest/v1",
  onAnswer: (request: FastifyRequest, status: number) => void = () => {},
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(proxy, {
      upstream: supabase.url,
      prefix,
      rewritePrefix: prefix,
      disableRequestLogging: true,
      undici: { headersTimeout: UPSTREAM_MS, bodyTimeout: UPSTREAM_MS },
      replyOptions: {
        retryDelay: () => null,
        rewriteRequestHeaders: (request, headers) => {
          const { cookie: _cookie, ...rest } = headers;
          return { ...rest, apikey: rest["apikey"] ?? supabase.anonKey, "x-forwarded-for": request.ip };
        },
        rewriteHeaders: (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !isOwn(name))),
        onResponse: (request, reply, upstream) => {
          onAnswer(request as FastifyRequest, reply.statusCode);
          void reply.send(upstream.stream);
        },
        onError: (reply) => {
          const message = "Sign-in and data cannot be reached right now. Try again in a few seconds.";
          void reply
            .code(503)
            .header("retry-after", "5")
            .send({ code: 503, error_code: "upstream_away", msg: message, message });
        },
      },
    });
  });
}

/** Passes /auth/v1 on, and has every process look again at the sessions of whoever signs out or changes his password there. */
export function registerAuthProxy(app: FastifyInstance, deps: Deps, supabase: Supabase): void {
  registerSupabaseProxy(app, supabase, "/auth/v1", (request, status) => {
    const path = request.url.split("?", 1)[0];
    const endsSessions = path === "/auth/v1/logout" || (path === "/auth/v1/user" && request.method === "PUT");
    if (!endsSessions || status >= 300) return;
    const { sub } = decodeJwt((request.headers.authorization ?? "").replace(/^Bearer /i, ""));
    if (sub === undefined) return;
    deps.bus
      .publish("sessions.changed", { user_id: sub })
      .catch((error: unknown) => deps.logger.warn({ err: error }, "a sign-out was not passed on"));
  });
}
