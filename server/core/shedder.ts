import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import { refuse } from "./problem.ts";
import { asksForPage } from "./web.ts";

const RETRY_AFTER_SECONDS = 2;
const SAMPLE_MS = 1_000;
/** Health checks and metrics must work under load. The card provider repeats its webhooks for days, so they may be refused. */
const ALWAYS_ANSWERED = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Refuses new requests with 503 and Retry-After while the event loop is late, to protect running ones.
 * @param maxDelayMs the mean delay of the loop over the last second; 0 refuses none
 */
export async function registerShedder(app: FastifyInstance, maxDelayMs: number): Promise<void> {
  if (maxDelayMs === 0) return;
  await app.register(underPressure, {
    maxEventLoopDelay: maxDelayMs,
    sampleInterval: SAMPLE_MS,
    pressureHandler: (request, _reply, _type, value) => {
      // No turn of the loop in a whole second means that the machine slept; the next second is measured again.
      if (value === Number.POSITIVE_INFINITY || ALWAYS_ANSWERED.has(request.routeOptions.url ?? "")) return;
      // The page itself is cheap, and only it can show that the server is busy and retry.
      if (asksForPage(request) || request.url.startsWith("/assets/")) return;
      throw refuse(503, "overloaded", { reason: "server" }, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    },
  });
}
