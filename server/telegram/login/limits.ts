import type { Deps } from "../../core/deps.ts";
import { openLimiter, type Limiter } from "../../core/limits.ts";
import { refuse } from "../../core/problem.ts";

type Request = { userId: string; phone: string; address: string };

/**
 * Limits login code requests: per user and phone number one a minute and five an hour, per phone number ten a day, per IP address twenty an
 * hour (not with a simulated Telegram, where all share one). A bucket's capacity plus its refill stay within these numbers. A completed
 * login resets them.
 */
export function createCodeLimits(deps: Pick<Deps, "db" | "clock" | "config">) {
  const open = (name: string, capacity: number, refillSeconds: number, reason: "minute" | "phone" | "address") =>
    openLimiter(deps, `codes by ${name}`, {
      capacity,
      refillSeconds,
      ofNetworks: name === "address",
      refusal: (seconds) => refuse(429, "too_many_codes", { reason, seconds }, { retryAfterSeconds: seconds }),
    });
  const byMinute = open("minute", 1, 60, "minute");
  const byHour = open("hour", 4, 3_600, "phone");
  const byPhone = open("phone", 8, 43_200, "phone");
  const byAddress = open("address", 10, 360, "address");
  const limitsOf = ({ userId, phone, address }: Request): [limiter: Limiter, key: string][] => [
    [byMinute, `${userId} ${phone}`],
    [byHour, `${userId} ${phone}`],
    [byPhone, phone],
    ...(deps.config.telegram.kind === "real" ? [[byAddress, address] as [Limiter, string]] : []),
  ];
  return {
    /** @throws ProblemError 429 with the time left; a refused request does not count */
    async admit(request: Request): Promise<void> {
      const used: [Limiter, string][] = [];
      try {
        for (const [limiter, key] of limitsOf(request)) {
          await limiter.use(key);
          used.push([limiter, key]);
        }
      } catch (error) {
        for (const [limiter, key] of used) await limiter.forgive(key, 1);
        throw error;
      }
    },
    async forgive(request: Request): Promise<void> {
      for (const [limiter, key] of limitsOf(request)) await limiter.forgive(key, limiter === byAddress ? 1 : undefined);
    },
  };
}
