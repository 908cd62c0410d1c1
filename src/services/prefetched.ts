/** A response: its status, its body (JSON if it parses, else text, null if empty) and its `ETag` if it has one. */
export type Answer = { status: number; data: unknown; version?: string };

export const versionOf = ({ headers }: Response): { version?: string } => {
  const version = headers.get("etag");
  return version === null ? {} : { version };
};

/** Parses a body as JSON; returns the text itself if it is none, and null if it is empty. */
export function jsonOrText(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Sends a GET and reads the response to its end. */
export async function read(
  address: string,
  headers: Record<string, string>,
  signal: AbortSignal | null,
): Promise<Answer> {
  const response = await fetch(address, { method: "GET", headers, signal });
  return { status: response.status, data: jsonOrText(await response.text()), ...versionOf(response) };
}

type Prefetched = { authorization: string | null; answer: Promise<Answer>; controller: AbortController };

const prefetched = new Map<string, Prefetched>();

/** An unused response is dropped after this time: it would be stale. */
const MAX_AGE_MS = 10_000;

let lastAt = Number.NEGATIVE_INFINITY;

const hrefOf = (address: string) => new URL(address, window.location.origin).href;

function drop(href: string) {
  prefetched.get(href)?.controller.abort();
  prefetched.delete(href);
}

/** Sends a GET before the code that needs the response has loaded; `takePrefetched` returns the response. */
export function prefetch(address: string, headers: Record<string, string>): void {
  const href = hrefOf(address);
  const controller = new AbortController();
  const answer = read(href, headers, controller.signal);
  // A failure belongs to the caller that takes the response.
  answer.catch(() => {});
  const entry = { authorization: headers["Authorization"] ?? null, answer, controller };
  prefetched.set(href, entry);
  lastAt = performance.now();
  setTimeout(() => prefetched.get(href) === entry && drop(href), MAX_AGE_MS);
}

/** Settles when every prefetch that is not yet taken has a response or has failed. */
export const prefetchesSettled = async (): Promise<void> =>
  void (await Promise.allSettled(Array.from(prefetched.values(), ({ answer }) => answer)));

/** Returns the milliseconds since the last prefetch whose response a screen may still show; 0 if there is none. */
export function prefetchAge(): number {
  const age = performance.now() - lastAt;
  return age <= MAX_AGE_MS ? age : 0;
}

/** Drops all prefetched responses: a write makes them stale. */
export function dropPrefetched(): void {
  for (const href of prefetched.keys()) drop(href);
}

/**
 * Returns the prefetched response for this address and bearer, or null if there is none. Each response serves one caller;
 * `signal` aborts the request for it.
 */
export function takePrefetched(
  address: string,
  authorization: string | null,
  signal: AbortSignal | null,
): Promise<Answer> | null {
  const href = hrefOf(address);
  const entry = prefetched.get(href);
  if (!entry || entry.authorization !== authorization) return null;
  prefetched.delete(href);
  const abort = () => entry.controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  return entry.answer;
}
