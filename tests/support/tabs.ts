import { vi } from "vitest";
import { type ServerEvents, createServerEvents } from "../../src/services/events.ts";

const encoder = new TextEncoder();

/** An event stream that the test writes to. */
export function eventStream() {
  let out: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      out = controller;
    },
  });
  return {
    answer: () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
    write: (text: string) => out?.enqueue(encoder.encode(text)),
    end: () => out?.close(),
  };
}

type Waiting = { start: () => void; onSteal: () => void };

/** The part of the browser's lock manager that the product uses: a queue per name, abortable waits, and `steal`. */
function fakeLocks() {
  const queues = new Map<string, Waiting[]>();
  const request = (name: string, options: LockOptions, callback: () => Promise<unknown>) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(name) ?? [];
      queues.set(name, queue);
      const rejectAborted = () => reject(new DOMException("Aborted", "AbortError"));
      const leave = (entry: Waiting) => {
        const position = queue.indexOf(entry);
        if (position < 0) return;
        queue.splice(position, 1);
        if (position === 0) queue[0]?.start();
      };
      const mine: Waiting = {
        onSteal: rejectAborted,
        start() {
          options.signal?.removeEventListener("abort", onAbort);
          void callback()
            .then(resolve, reject)
            .finally(() => leave(mine));
        },
      };
      const onAbort = () => {
        leave(mine);
        rejectAborted();
      };
      if (options.steal === true) {
        queue.shift()?.onSteal();
        queue.unshift(mine);
      } else queue.push(mine);
      options.signal?.addEventListener("abort", onAbort);
      if (queue[0] === mine) mine.start();
    });
  return { request } as unknown as LockManager;
}

/** Broadcast channels between the tabs of a test; messages arrive at once. */
export function fakeChannels() {
  const open = new Map<string, Set<FakeChannel>>();
  class FakeChannel extends EventTarget {
    readonly #all: Set<FakeChannel>;
    constructor(name: string) {
      super();
      this.#all = open.get(name) ?? new Set();
      open.set(name, this.#all.add(this));
    }
    postMessage(data: unknown) {
      for (const other of this.#all) if (other !== this) other.dispatchEvent(new MessageEvent("message", { data }));
    }
    close() {
      this.#all.delete(this);
    }
  }
  return FakeChannel;
}

/** A browser with several tabs and one server. The test gives the server's responses in order; the last one repeats. */
export function fakeBrowser(answers: (() => Response | Promise<Response>)[]) {
  const locks = fakeLocks();
  const requests: { tab: string; token: string; missed: number; signal: AbortSignal }[] = [];
  const renewals: string[] = [];
  const openTab = (
    tab: string,
    user: { current: string | null },
    isShared = true,
  ): ServerEvents & { follow: () => void } =>
    createServerEvents({
      url: "/api/events",
      getSession: () =>
        user.current === null ? null : { userId: user.current, accessToken: `token of ${user.current}` },
      refresh: async () => void renewals.push(tab),
      logger: { warn: () => {} },
      headStart: 0,
      pause: () => 0,
      locks: isShared ? locks : undefined,
      fetch: async (address, init) => {
        requests.push({
          tab,
          token: new Headers(init?.headers).get("authorization")?.replace("Bearer ", "") ?? "",
          missed: Number(/^\/api\/events\?missed_ms=(\d+)$/.exec(address as string)?.[1]),
          signal: init?.signal as AbortSignal,
        });
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        if (!answer) throw new TypeError("Failed to fetch");
        return new Promise((resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(new DOMException("Aborted", "AbortError")));
          void Promise.resolve(answer()).then((response) => resolve(cutBy(response, init?.signal)));
        });
      },
    });
  return { openTab, requests, renewals, locks };
}

/** Returns the response with a body that fails when the request is aborted, as in browsers. */
function cutBy(response: Response, signal: AbortSignal | null | undefined): Response {
  if (!response.body || !signal) return response;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  response.body.pipeTo(writable, { signal }).catch(() => {});
  return new Response(readable, response);
}

/** Waits until all pending work settles. */
export const settled = () => vi.advanceTimersByTimeAsync(1);
