/**
 * A clock for generated paths: it lets the timers of one length run out and leaves all others alone, as a path takes one
 * delayed transition at a time. What really comes first is for the journeys, on xstate's SimulatedClock.
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

  /** Runs out every timer that was set for exactly this many milliseconds. */
  increment(length: number): void {
    const due = [...this.#timers].filter(([, timer]) => timer.length === length);
    if (due.length === 0) throw new Error(`no timer of ${length} ms is running`);
    for (const [id, { run }] of due) {
      this.#timers.delete(id);
      run();
    }
  }
}
