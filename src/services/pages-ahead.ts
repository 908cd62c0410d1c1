/** How old an answer may be that was asked for ahead: what the server does not tell of stays unseen for so long. */
const FRESH_MS = 3_000;

type Request = Readonly<Record<string, unknown>>;
type List<Page> = (request: Request, signal: AbortSignal) => Promise<Page>;

/**
 * Reads one page before anybody has asked for it, for whoever asks for the same within three seconds. It is let go by any
 * word that leads have changed, by a reading of another page, and where it failed.
 */
export function createPagesAhead<Page>(list: List<Page>, onChanged: (listener: () => void) => () => void) {
  let ahead: { key: string; answer: Promise<Page>; reading: AbortController; leave: () => void } | null = null;
  const discard = () => {
    ahead?.leave();
    ahead?.reading.abort();
    ahead = null;
  };
  return {
    discard,

    /** Asks now; one answer is kept at a time. */
    ask(request: Request): void {
      const key = JSON.stringify(request);
      if (ahead?.key === key) return;
      discard();
      const reading = new AbortController();
      const answer = list(request, reading.signal);
      const stopListening = onChanged(discard);
      const timer = setTimeout(discard, FRESH_MS);
      const leave = () => {
        clearTimeout(timer);
        stopListening();
      };
      ahead = { key, answer, reading, leave };
      answer.catch(() => {
        if (ahead?.answer === answer) discard();
      });
    },

    /** One page: the one that was asked for ahead, or a reading of its own. */
    list(request: Request, signal: AbortSignal): Promise<Page> {
      const usable = ahead?.key === JSON.stringify(request) && !signal.aborted ? ahead : null;
      if (usable === null) {
        discard();
        return list(request, signal);
      }
      ahead = null;
      usable.leave();
      signal.addEventListener("abort", () => usable.reading.abort(), { once: true });
      return usable.answer;
    },
  };
}
