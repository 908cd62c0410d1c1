import { audit } from "./audit.ts";
import type { Deps } from "./deps.ts";

const ONCE_MS = 3_600_000;
const MOST_REMEMBERED = 10_000;

/** Notes in the audit log that the gate turned someone away: once an hour a user, however often a page asks. */
export function createRefusalLog({
  db,
  clock,
  logger,
  work,
}: Pick<Deps, "db" | "clock" | "logger" | "work">): (userId: string) => void {
  const noted = new Map<string, number>();
  return (userId) => {
    const now = clock.now();
    if (now - (noted.get(userId) ?? Number.NEGATIVE_INFINITY) < ONCE_MS) return;
    if (noted.size >= MOST_REMEMBERED) noted.clear();
    noted.set(userId, now);
    work
      .track("audit", audit(db, { userId, action: "access_refused", at: clock.iso() }))
      .catch((error: unknown) => logger.warn({ err: error }, "a refusal was not written to the audit log"));
  };
}
