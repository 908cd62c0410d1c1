/** A request that left before the code which needs its answer was there. */
type Opening = { authorization: string | null; answer: Promise<Response>; abort: () => void };

const openings = new Map<string, Opening>();

/** How long an answer waits to be asked for; it would be old news after that. */
const PATIENCE_MS = 10_000;

let lastOpenedAt = Number.NEGATIVE_INFINITY;

/** Milliseconds since something was asked ahead whose answer may still be news to a screen; 0 when nothing was. */
export function openedAgo(): number {
  const age = performance.now() - lastOpenedAt;
  return age <= PATIENCE_MS ? age : 0;
}

const hrefOf = (address: string) => new URL(address, window.location.origin).href;

/** Asks now, for whoever asks the same of `openedFetch` soon. A failure is told to them alone. */
export function openAhead(address: string, headers: Record<string, string>): void {
  const controller = new AbortController();
  const href = hrefOf(address);
  const answer = fetch(href, { headers, signal: controller.signal });
  answer.catch(() => {});
  const opening = { authorization: headers["Authorization"] ?? null, answer, abort: () => controller.abort() };
  openings.set(href, opening);
  lastOpenedAt = performance.now();
  setTimeout(() => {
    if (openings.get(href) !== opening) return;
    openings.delete(href);
    opening.abort();
  }, PATIENCE_MS);
}

/**
 * The browser's fetch, answered by what was asked ahead where address and bearer are the same. Each answer serves once:
 * whoever asks again asks the server.
 */
export const openedFetch: typeof fetch = (input, init) => {
  const request = typeof input === "string" || input instanceof URL ? { url: String(input), method: "GET" } : input;
  const authorization = new Headers(init?.headers).get("Authorization");
  const isRead = (init?.method ?? request.method) === "GET";
  return (isRead && takeOpening(request.url, authorization, init?.signal ?? null)) || fetch(input, init);
};

/** The answer under way to this bearer's request, or null where none was made; whoever takes it has it alone. */
export function takeOpening(
  address: string,
  authorization: string | null,
  signal: AbortSignal | null,
): Promise<Response> | null {
  const href = hrefOf(address);
  const opening = openings.get(href);
  if (!opening || opening.authorization !== authorization) return null;
  openings.delete(href);
  return heeding(opening, signal);
}

function heeding({ answer, abort }: Opening, signal: AbortSignal | null): Promise<Response> {
  if (signal === null) return answer;
  return new Promise((resolve, reject) => {
    const stop = () => {
      abort();
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    answer.then(resolve, reject);
  });
}
