import type { Clock } from "../../core/clock.ts";

/** Decides from this host's clocks whether a lease is still valid. Checked before every write. */
export type LeaseClock = {
  isHeld(): boolean;
  /** Records that the lease was renewed by a call that began at `began`. */
  renew(began: Moment): void;
  /** Ends the lease for good. */
  end(): void;
};
/** A time on both host clocks, in ms: the steady clock can stop while the host sleeps, the wall clock can be set. */
export type Moment = { steady: number; wall: number };

const BACKWARDS_MS = 1_000;

export const momentOf = ({ monotonic, wall }: Clock): Moment => ({ steady: monotonic(), wall: wall() });

/**
 * Trusts a lease for `trustedMs` after the start of the call that renewed it, by the clock that advanced more. If a clock was set back, the
 * lease is not trusted until the next renewal.
 */
export function createLeaseClock(trustedMs: number, now: () => Moment): LeaseClock {
  let since: Moment | null = null;
  let isEnded = false;
  return {
    isHeld() {
      if (since === null || isEnded) return false;
      const { steady, wall } = now();
      return steady - since.steady < trustedMs && wall - since.wall < trustedMs && wall - since.wall > -BACKWARDS_MS;
    },
    renew: (began) => void (since = began),
    end: () => void (isEnded = true),
  };
}
