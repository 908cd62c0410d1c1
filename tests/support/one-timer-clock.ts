/**
 * A clock for generated paths, which take one delayed transition at a time: it fires only the timers of one length. Journeys test which
 * timer fires first; they use xstate's SimulatedClock.
 */
export class OneTimerClock {
  #timers = new Map<number, { run: () => void; length: number }>();
  #lastId = 0;

  setTimeout(run: () => void, length: number): number {
    this.#lastId += 1;
    this.#timers.set(this.#lastId, { run, length });
    return this.#lastId;
  }

  clearTimeout(id: number): void {
    this.#timers.delete(id);
  }

  /** Fires every timer that was set for exactly this many milliseconds. */
  increment(length: number): void {
    const due = [...this.#timers].filter(([, timer]) => timer.length === length);
    if (due.length === 0) throw new Error(`no timer of ${length} ms is running`);
    for (const [id, { run }] of due) {
      this.#timers.delete(id);
      run();
    }
  }
}
