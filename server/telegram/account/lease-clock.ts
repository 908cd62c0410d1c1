import type { Clock } from "../../core/clock.ts";

/** Whether a lease may still be relied upon, told by this host alone: asked before every byte that leaves. */
export type LeaseClock = {
  isHeld(): boolean;
  /** The lease was prolonged by a call that began at `began`. */
  prolonged(began: Moment): void;
  /** Never held again. */
  end(): void;
};
/** One moment on the two clocks of a host, in ms: the steady one may stand still while the host sleeps, the other may be set. */
export type Moment = { steady: number; wall: number };

const BACKWARDS_MS = 1_000;

export const momentOf = ({ monotonic, wall }: Clock): Moment => ({ steady: monotonic(), wall: wall() });

/**
 * A lease that is trusted for `trustedMs` after the beginning of the call that prolonged it. The clock that saw more time pass counts; a
 * clock that was set back tells nothing, and then nothing is trusted until the next call.
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
    prolonged: (began) => void (since = began),
    end: () => void (isEnded = true),
  };
}
