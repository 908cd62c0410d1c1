/** How long a reload waits for writes in flight. */
const PATIENCE_MS = 5_000;

const TYPED_INTO = "input, textarea, select, [contenteditable=true]";

/** Tracks work on the page, so that it is not reloaded in the middle. */
export function createPageWork() {
  const writes = new Set<Promise<unknown>>();
  return {
    onWrite(work: Promise<unknown>) {
      writes.add(work);
      const end = () => void writes.delete(work);
      work.then(end, end);
    },
    isBusy: () => writes.size > 0 || (document.activeElement?.matches(TYPED_INTO) ?? false),
    /** Settles when no write is in flight, or after 5 seconds. */
    writesSettled: () =>
      Promise.race([Promise.allSettled(writes), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]),
  };
}
