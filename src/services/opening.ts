/**
 * What the server answered: its status, its body as JSON, as text where it is none, as null where it is empty, and its `ETag` where it
 * has one.
 */
export type Answer = { status: number; data: unknown; version?: string };

/** The version that an answer names. */
export const versionOf = ({ headers }: Response): { version?: string } => {
  const version = headers.get("etag");
  return version === null ? {} : { version };
};

/** A request that left before the code which needs its answer was there. */
type Opening = { authorization: string | null; answer: Promise<Answer>; abort: () => void };

const openings = new Map<string, Opening>();

/** What has not been answered yet; an answer is kept for whoever takes it, and for nobody else. */
const underWay = new Set<Promise<void>>();

/** Settles when everything asked ahead so far has been answered, or has failed. */
export const openedAnswers = async (): Promise<void> => void (await Promise.all(underWay));

/** How long an answer waits to be asked for; it would be old news after that. */
const PATIENCE_MS = 10_000;

let lastOpenedAt = Number.NEGATIVE_INFINITY;

/** Milliseconds since something was asked ahead whose answer may still be news to a screen; 0 when nothing was. */
export function openedAgo(): number {
  const age = performance.now() - lastOpenedAt;
  return age <= PATIENCE_MS ? age : 0;
}

/** Asks for what is read, and reads the answer to its end. */
export async function ask(
  address: string,
  headers: Record<string, string>,
  signal: AbortSignal | null,
): Promise<Answer> {
  const response = await fetch(address, { method: "GET", headers, signal });
  return { status: response.status, data: jsonOrText(await response.text()), ...versionOf(response) };
}

const hrefOf = (address: string) => new URL(address, window.location.origin).href;

/**
 * Asks now, for whoever asks the same of `takeOpening` soon. The answer is read to its end meanwhile, so that it can be
 * shown in the frame in which somebody asks. A failure is told to them alone.
 */
export function openAhead(address: string, headers: Record<string, string>): void {
  const controller = new AbortController();
  const href = hrefOf(address);
  const answer = ask(href, headers, controller.signal);
  const end: Promise<void> = answer.then(
    () => void underWay.delete(end),
    () => void underWay.delete(end),
  );
  underWay.add(end);
  const abort = () => {
    underWay.delete(end);
    controller.abort();
  };
  const opening = { authorization: headers["Authorization"] ?? null, answer, abort };
  openings.set(href, opening);
  lastOpenedAt = performance.now();
  setTimeout(() => {
    if (openings.get(href) !== opening) return;
    openings.delete(href);
    opening.abort();
  }, PATIENCE_MS);
}

/** Lets go of what nobody has taken yet: something is being changed, or has just been, that it may not know of. */
export function forgetOpenings(): void {
  for (const { abort } of openings.values()) abort();
  openings.clear();
}

/**
 * The answer under way to this bearer's reading of the address, or null where none was asked for ahead. Each answer serves
 * once: whoever asks again asks the server.
 */
export function takeOpening(
  address: string,
  authorization: string | null,
  signal: AbortSignal | null,
): Promise<Answer> | null {
  const href = hrefOf(address);
  const opening = openings.get(href);
  if (!opening || opening.authorization !== authorization) return null;
  openings.delete(href);
  return heeding(opening, signal);
}

function heeding({ answer, abort }: Opening, signal: AbortSignal | null): Promise<Answer> {
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

/** A body as JSON, or as the text that it is; null for an empty one. */
export function jsonOrText(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
