import type { FastifyInstance } from "fastify";
import * as v from "valibot";
import { type Bus, parse, type SandboxClock } from "./server-imports.ts";

const TEN_YEARS = 315_360_000;
const Advance = v.strictObject({
  advance_seconds: v.pipe(v.number(), v.minValue(0, "The clock moves forward only."), v.maxValue(TEN_YEARS)),
});

/** `GET` and `POST /sandbox/clock`: reads and moves the server's time. */
export function registerClock(app: FastifyInstance, clock: SandboxClock, bus: Bus): void {
  const answer = () => ({ now: clock.iso(), offset_seconds: clock.offsetSeconds });
  app.get("/sandbox/clock", () => answer());
  app.post("/sandbox/clock", async ({ body }) => {
    clock.advance(parse(Advance, body ?? {}).advance_seconds);
    await bus.publish("clock.moved", {});
    return answer();
  });
}
