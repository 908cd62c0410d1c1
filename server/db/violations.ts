const UNIQUE_VIOLATION = "23505";
const LOST_RACES: ReadonlySet<unknown> = new Set([UNIQUE_VIOLATION, "40001", "40P01", "55P03"]);

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** Whether Postgres refused a row because another one holds its place already (unique_violation). */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === UNIQUE_VIOLATION;

/** Whether a transaction lost against another one (also serialization_failure, deadlock_detected, lock_not_available): tried again it may pass. */
export const isLostRace = (error: unknown): boolean => LOST_RACES.has(codeOf(error));

const TRIES = 4;

/** Does what is one transaction, and again where it lost against another one. @throws what the last try did */
export async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !isLostRace(error)) throw error;
    }
  }
}
