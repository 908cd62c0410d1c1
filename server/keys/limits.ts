import type { FastifyInstance } from "fastify";
import { createCallRate, type CallsLeft } from "../core/call-rate.ts";
import type { Deps } from "../core/deps.ts";
import { ProblemError } from "../core/problem.ts";
import { hasApiKey, type KeyAuthenticator } from "./authenticate.ts";

const WINDOW_SECONDS = 60;

/**
 * Counts the requests of each key and adds rate-limit headers to their responses (draft-ietf-httpapi-ratelimit-headers-10). Must be called
 * before the routes are registered.
 */
export function registerKeyLimits(
  app: FastifyInstance,
  { bus, clock, config }: Pick<Deps, "bus" | "clock" | "config">,
  { authenticateRequest }: KeyAuthenticator,
): void {
  const quota = config.keyCallsPerMinute;
  const calls = createCallRate({ bus, clock }, { of: "key", perSecond: quota / WINDOW_SECONDS, most: quota });
  app.addHook("onClose", () => calls.stop());
  app.addHook("onRequest", async (request, reply) => {
    // The route's URL pattern: one path can be written in several ways.
    const address = request.routeOptions.url ?? request.url;
    if (!hasApiKey(request) || !/^\/(?:api|mcp)(?![\w-])/.test(address)) return;
    const caller = await authenticateRequest(request).catch((error: unknown) => {
      if (error instanceof ProblemError && error.status === 429) throw error;
      // The route decides whether a caller is required.
      return null;
    });
    if (caller?.key == null) return;
    calls.count(caller.key.id, ({ left, fullInSeconds }: CallsLeft) => {
      reply.raw.setHeader("ratelimit-policy", `"default";q=${quota};w=${WINDOW_SECONDS}`);
      reply.raw.setHeader("ratelimit", `"default";r=${left};t=${fullInSeconds}`);
    });
  });
}
