import proxy from "@fastify/http-proxy";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { decodeJwt } from "jose";
import type { Config } from "../core/config.ts";
import type { Deps } from "../core/deps.ts";
import { refuseSignIn } from "./problem.ts";

type Supabase = Extract<Config["auth"], { kind: "supabase" }>;

const UPSTREAM_MS = 25_000;
/** Headers of this server's responses that upstream headers must not replace. */
const OWN_HEADERS = ["content-security-policy", "strict-transport-security", "set-cookie", "server", "via"];
const isOwn = (name: string) => OWN_HEADERS.includes(name) || name.startsWith("access-control-");

/** Calls that Supabase limits by address. None of them needs the rights of the key. */
const LIMITED_BY_ADDRESS =
  /^\/auth\/v1\/(token|signup|recover|resend|otp|magiclink|verify|factors\/[^/]+\/(challenge|verify))$/;

/**
 * Returns the headers of a call to Supabase. A project with IP address forwarding counts its limits by `Sb-Forwarded-For`, which it trusts
 * only next to a secret key. Only the limited calls carry that key, for the gateway. Their `authorization` is the caller's token or the
 * public key, so the secret key grants no rights.
 */
export function supabaseCallHeaders(
  supabase: Supabase,
  call: { path: string; ip: string; apikey?: string | undefined; authorization?: string | undefined },
): Record<string, string> {
  const bearsSecret = supabase.serviceRoleKey.startsWith("sb_secret_") && LIMITED_BY_ADDRESS.test(call.path);
  return {
    apikey: bearsSecret ? supabase.serviceRoleKey : (call.apikey ?? supabase.anonKey),
    ...(bearsSecret ? { authorization: call.authorization ?? `Bearer ${supabase.anonKey}` } : {}),
    "x-forwarded-for": call.ip,
    "sb-forwarded-for": call.ip,
  };
}

/**
 * Forwards /auth/v1 unchanged: the browser's key and token, and the caller's address, but no cookies. After a sign-out or a new password,
 * every process checks the user's sessions again.
 */
export function registerAuthProxy(app: FastifyInstance, deps: Deps, supabase: Supabase): void {
  const onAnswer = (request: FastifyRequest, status: number) => {
    const path = request.url.split("?", 1)[0];
    const endsSessions = path === "/auth/v1/logout" || (path === "/auth/v1/user" && request.method === "PUT");
    if (!endsSessions || status >= 300) return;
    const { sub } = decodeJwt((request.headers.authorization ?? "").replace(/^Bearer /i, ""));
    if (sub === undefined) return;
    deps.bus
      .publish("sessions.changed", { user_id: sub })
      .catch((error: unknown) => deps.logger.warn({ err: error }, "notifying other processes of a sign-out failed"));
  };
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(proxy, {
      upstream: supabase.url,
      prefix: "/auth/v1",
      rewritePrefix: "/auth/v1",
      disableRequestLogging: true,
      undici: { headersTimeout: UPSTREAM_MS, bodyTimeout: UPSTREAM_MS },
      replyOptions: {
        retryDelay: () => null,
        rewriteRequestHeaders: (request, headers) => {
          const { cookie: _cookie, ...rest } = headers;
          const path = request.url.split("?", 1)[0] ?? "";
          const { authorization } = rest;
          const apikey = [rest["apikey"]].flat()[0];
          return { ...rest, ...supabaseCallHeaders(supabase, { path, ip: request.ip, apikey, authorization }) };
        },
        rewriteHeaders: (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !isOwn(name))),
        onResponse: (request, reply, upstream) => {
          onAnswer(request as FastifyRequest, reply.statusCode);
          void reply.send(upstream.stream);
        },
        onError: (reply) => {
          const { status, code, message } = refuseSignIn(503, "upstream_away");
          void reply
            .code(status)
            .header("retry-after", "5")
            .send({ code: status, error_code: code, msg: message, message });
        },
      },
    });
  });
}
