/** How far Telegram's clock is ahead of ours, from several answers: one that came late or from a moment of change does not decide. */
export type ClockOffset = {
  /** @param offsetMs Telegram's time less ours in the middle of the call; `tookMs` is how long the call took */
  add(sample: ClockSample): void;
  /** the median of the newest answers in ms; null before the first one */
  read(): number | null;
  /** Our own clock was moved: what was known of it is worthless. */
  forget(): void;
};
export type ClockSample = { offsetMs: number; tookMs: number };

const SAMPLES = 5;
/** Of an answer that took longer nobody knows when Telegram looked at its clock. */
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
