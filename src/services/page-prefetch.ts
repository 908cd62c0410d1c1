/** Maximum age of a prefetched response: changes without an event stay unseen for this long. */
const FRESH_MS = 3_000;

type Request = Readonly<Record<string, unknown>>;
type List<Page> = (request: Request, signal: AbortSignal) => Promise<Page>;

/**
 * Prefetches one page, for a caller that asks for it within three seconds. It is dropped by any event about leads, by a read of another
 * page, and by a failure.
 */
export function createPagePrefetch<Page>(list: List<Page>, onChanged: (listener: () => void) => () => void) {
  let ahead: { key: string; answer: Promise<Page>; controller: AbortController; leave: () => void } | null = null;
  const discard = () => {
    ahead?.leave();
    ahead?.controller.abort();
    ahead = null;
  };
  return {
    discard,

    /** Prefetches now; only one response is kept. */
    ask(request: Request): void {
      const key = JSON.stringify(request);
      if (ahead?.key === key) return;
      discard();
      const controller = new AbortController();
      const answer = list(request, controller.signal);
      const stopListening = onChanged(discard);
      const timer = setTimeout(discard, FRESH_MS);
      const leave = () => {
        clearTimeout(timer);
        stopListening();
      };
      ahead = { key, answer, controller, leave };
      answer.catch(() => {
        if (ahead?.answer === answer) discard();
      });
    },

    /** Returns one page: the prefetched one, or a new read. */
    list(request: Request, signal: AbortSignal): Promise<Page> {
      const usable = ahead?.key === JSON.stringify(request) && !signal.aborted ? ahead : null;
      if (usable === null) {
        discard();
        return list(request, signal);
      }
      ahead = null;
      usable.leave();
      signal.addEventListener("abort", () => usable.controller.abort(), { once: true });
      return usable.answer;
    },
  };
}
