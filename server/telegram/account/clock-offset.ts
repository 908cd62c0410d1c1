/** How far Telegram's clock is ahead of this host's. A median of several responses, so that a late one does not decide. */
export type ClockOffset = {
  /** @param offsetMs Telegram's time minus this host's in the middle of the call; `tookMs` is the call's duration */
  add(sample: ClockSample): void;
  /** the median of the newest samples in ms; null before the first one */
  read(): number | null;
  /** Discards all samples, because this host's clock was set. */
  forget(): void;
};
export type ClockSample = { offsetMs: number; tookMs: number };

const SAMPLES = 5;
/** In a slow response, the moment at which Telegram read its clock is uncertain. */
const LATE_MS = 4_000;

export function createClockOffset(): ClockOffset {
  let samples: number[] = [];
  return {
    add({ offsetMs, tookMs }) {
      if (tookMs <= LATE_MS) samples = [...samples, offsetMs].slice(-SAMPLES);
    },
    read: () => samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? null,
    forget: () => void (samples = []),
  };
}
