import type { CDPSession } from "@playwright/test";

/** One request of a page; times in milliseconds from the start of the first request. */
export type PageRequest = {
  name: string;
  start: number;
  end: number | null;
  /** The script or page whose code sent it. */
  by: string;
  isStream: boolean;
};

const SETTLED_MS = 400;
const PATIENCE_MS = 10_000;

/** Returns the path of a request without the hash: `app-D4EybJFN.js` is `app.js`. */
const nameOf = (url: string) => {
  const { pathname, search } = new URL(url);
  const hashed = /^\/assets\/(.+)-[\w-]{8}(\.\w+)$/.exec(pathname);
  return hashed ? `${hashed[1]}${hashed[2]}` : pathname + search.slice(0, 24);
};

type Sent = {
  requestId: string;
  timestamp: number;
  request: { url: string };
  initiator: { type: string; url?: string; stack?: Stack };
};
type Stack = { callFrames: { url: string }[]; parent?: Stack };

/** Returns the URL of the outermost script in a call stack. */
const codeOf = (stack: Stack | undefined): string | undefined =>
  stack && (stack.callFrames.find(({ url }) => url !== "")?.url ?? codeOf(stack.parent));

/** Records a page's requests. Leaves out the event stream, which never ends, and the icon, which the browser requests itself. */
export class Network {
  readonly #requests = new Map<string, PageRequest>();
  #first: number | null = null;
  #lastActivity = Date.now();

  constructor(client: CDPSession) {
    client.on("Network.requestWillBeSent", (event) => this.#sent(event as Sent));
    client.on("Network.loadingFinished", ({ requestId, timestamp }) => this.#ended(requestId, timestamp));
    client.on("Network.loadingFailed", ({ requestId, timestamp }) => this.#ended(requestId, timestamp));
  }

  #sent({ requestId, timestamp, request: { url }, initiator }: Sent): void {
    if (!/^https?:/.test(url)) return;
    this.#lastActivity = Date.now();
    this.#first ??= timestamp;
    const by = [initiator.url, codeOf(initiator.stack)].find((address) => address?.startsWith("http"));
    this.#requests.set(requestId, {
      name: nameOf(url),
      start: (timestamp - this.#first) * 1_000,
      end: null,
      by: by === undefined ? "running code" : nameOf(by),
      isStream: new URL(url).pathname === "/api/events",
    });
  }

  #ended(requestId: string, timestamp: number): void {
    this.#lastActivity = Date.now();
    const request = this.#requests.get(requestId);
    if (request) request.end = (timestamp - (this.#first ?? timestamp)) * 1_000;
  }

  /** Returns all recorded requests, in the order of their start. */
  counted(): PageRequest[] {
    return [...this.#requests.values()].filter(({ name, isStream }) => !isStream && !name.includes("favicon"));
  }

  /** Resolves once no request was pending for a while. */
  async settled(quietMs = SETTLED_MS): Promise<void> {
    const isOpen = () => this.counted().some(({ end }) => end === null);
    for (const end = Date.now() + PATIENCE_MS; isOpen() || Date.now() - this.#lastActivity < quietMs;) {
      if (Date.now() > end) throw new Error(`The page still has pending requests: ${JSON.stringify(this.counted())}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

/** Describes a visit's requests: start, end, and what each waited for. */
export function waterfall(requests: readonly PageRequest[]): string[] {
  return requests.map(({ name, start, end, by }) => {
    const sender = requests.find((one) => one.name === by);
    const before = requests
      .filter((one) => one.end !== null && one.end <= start)
      .reduce<PageRequest | null>(
        (last, one) => (last === null || (one.end ?? 0) > (last.end ?? 0) ? one : last),
        null,
      );
    const waited =
      start === 0
        ? "navigation"
        : before === null
          ? `waited for the first bytes of ${by}`
          : `waited for ${by}${sender?.end == null ? "" : ` (loaded at ${sender.end.toFixed(0)})`}; previous response: ${before.name}`;
    return `${start.toFixed(0).padStart(5)} to ${(end === null ? "-" : end.toFixed(0)).padStart(5)} ms  ${name.padEnd(36)} ${waited}`;
  });
}
