import { describe, expect, it, vi } from "vitest";
import { createServerEvents } from "../../src/services/events.ts";

const encoder = new TextEncoder();

/** A stream whose parts the test writes, and everything the client asked for. */
function setUp(answers: (() => Response)[], token: string | null = "token-1") {
  const asked: (string | null)[] = [];
  const missed: number[] = [];
  const warnings: string[] = [];
  const signals: AbortSignal[] = [];
  const events = createServerEvents({
    url: "/api/events",
    getAccessToken: () => token,
    logger: { warn: (what) => void warnings.push(what) },
    headStart: 0,
    pause: () => 0,
    fetch: async (address, init) => {
      missed.push(Number(/^\/api\/events\?missed_ms=(\d+)$/.exec(address as string)?.[1]));
      asked.push(new Headers(init?.headers).get("authorization"));
      if (init?.signal) signals.push(init.signal);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (!answer) throw new TypeError("Failed to fetch");
      return answer();
    },
  });
  return { events, asked, missed, warnings, signals };
}

function stream() {
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

describe("server events", () => {
  it("reach those who listen to their type, however the stream is cut", async () => {
    const first = stream();
    const { events, asked } = setUp([first.answer]);
    const heard: unknown[] = [];
    const stop = events.subscribe("lead.changed", (data) => void heard.push(data));
    await vi.waitFor(() => expect(asked).toEqual(["Bearer token-1"]));
    first.write(": hello\n\nevent: lead.ch");
    first.write('anged\ndata: {"id":1}\n\nevent: bulk.changed\ndata: {}\n\nevent: unknown\ndata: {}\n\n');
    first.write("event: lead.changed\r\ndata: not json\r\n\r\n");
    await vi.waitFor(() => expect(heard).toEqual([{ id: 1 }, null]));
    stop();
  });

  it("go on after a lost connection", async () => {
    const [first, second] = [stream(), stream()];
    const { events, asked } = setUp([first.answer, second.answer]);
    const heard: unknown[] = [];
    const stop = events.subscribe("bulk.changed", (data) => void heard.push(data));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    first.end();
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    second.write("event: bulk.changed\ndata: 2\n\n");
    await vi.waitFor(() => expect(heard).toEqual([2]));
    stop();
  });

  it("say for how long nothing was heard: since the screens have read, and since the last sign of life", async () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(5_000);
    const [first, second] = [stream(), stream()];
    const { events, missed } = setUp([first.answer, second.answer]);
    const stop = events.subscribe("bulk.changed", () => {});
    now.mockReturnValue(6_100.5);
    await vi.waitFor(() => expect(missed).toEqual([1_101]));
    now.mockReturnValue(20_000);
    first.write(": ping\n\n");
    await new Promise((resolve) => setTimeout(resolve));
    now.mockReturnValue(20_700);
    first.end();
    await vi.waitFor(() => expect(missed).toEqual([1_101, 700]));
    stop();
    now.mockRestore();
  });

  it("are not asked for again from a server that has none", async () => {
    const { events, asked } = setUp([() => new Response("", { status: 404 })]);
    events.subscribe("lead.changed", () => {})();
    const stop = events.subscribe("bulk.changed", () => {});
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve));
    stop();
    events.subscribe("telegram.changed", () => {});
    await new Promise((resolve) => setTimeout(resolve));
    expect(asked).toHaveLength(1);
  });

  it("are not asked for by someone signed out", async () => {
    const { events, asked } = setUp([], null);
    events.subscribe("lead.changed", () => {});
    await new Promise((resolve) => setTimeout(resolve));
    expect(asked).toEqual([]);
  });

  it("end their stream when nobody listens any more, and not while screens change", async () => {
    const first = stream();
    const { events, signals } = setUp([first.answer]);
    const leave = events.subscribe("lead.changed", () => {});
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    leave();
    const leaveNext = events.subscribe("bulk.changed", () => {});
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(signals[0]?.aborted).toEqual(false);
    leaveNext();
    await vi.waitFor(() => expect(signals[0]?.aborted).toEqual(true));
  });
});
