import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import { refuse } from "./problem.ts";
import { asksForPage } from "./web.ts";

const RETRY_AFTER_SECONDS = 2;
const SAMPLE_MS = 1_000;
/** Who watches over the process must be answered above all while it is in distress; the card provider's word is asked for again for days. */
const ALWAYS_ANSWERED = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Turns new requests away with 503 and Retry-After while the event loop is late, before those under way suffer more.
 * @param maxDelayMs the mean delay of the loop over the last second; 0 turns nobody away
 */
export async function registerShedder(app: FastifyInstance, maxDelayMs: number): Promise<void> {
  if (maxDelayMs === 0) return;
  await app.register(underPressure, {
    maxEventLoopDelay: maxDelayMs,
    sampleInterval: SAMPLE_MS,
    pressureHandler: (request, _reply, _type, value) => {
      // Not one turn of the loop in the whole second is a machine that slept; how late it is, the next second shows.
      if (value === Number.POSITIVE_INFINITY || ALWAYS_ANSWERED.has(request.routeOptions.url ?? "")) return;
      // The page costs little, says by itself that the server is busy, and asks again; a browser's tab without it does not.
      if (asksForPage(request) || request.url.startsWith("/assets/")) return;
      throw refuse(503, "overloaded", { reason: "server" }, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    },
  });
}
