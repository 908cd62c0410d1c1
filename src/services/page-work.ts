/** How long a reload waits for what is being written. */
const PATIENCE_MS = 5_000;

const TYPED_INTO = "input, textarea, select, [contenteditable=true]";

/** What is going on on the page, so that it is not reloaded in the middle of it. */
export function createPageWork() {
  const writes = new Set<Promise<unknown>>();
  return {
    onWrite(work: Promise<unknown>) {
      writes.add(work);
      const end = () => void writes.delete(work);
      work.then(end, end);
    },
    isBusy: () => writes.size > 0 || (document.activeElement?.matches(TYPED_INTO) ?? false),
    /** Settles when nothing is being written any more, or it takes more than 5 seconds. */
    writesSettled: () =>
      Promise.race([Promise.allSettled(writes), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]),
  };
}
