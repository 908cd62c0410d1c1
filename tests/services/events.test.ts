import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventType } from "../../domain/events.ts";
import { prefetch } from "../../src/services/prefetched.ts";
import { eventStream, fakeBrowser, fakeChannels, settled } from "../support/tabs.ts";

type Browser = ReturnType<typeof fakeBrowser>;
type Tab = ReturnType<Browser["openTab"]>;

const MARGIN = 2_000;
const ann = { current: "ann" };
const refusing = (status: number, headers: Record<string, string> = {}) => new Response("{}", { status, headers });

const stops: (() => void)[] = [];
/** Records the events of a type until the end of the test. */
function record(events: Tab, type: EventType = "lead.changed") {
  const received: unknown[] = [];
  stops.push(events.subscribe(type, (data) => void received.push(data)));
  return received;
}

/** Opens Ann's tab with a server that gives these responses. */
async function openTab(...answers: Parameters<typeof fakeBrowser>[0]) {
  const browser = fakeBrowser(answers);
  const events = browser.openTab("1", ann);
  const received = record(events);
  await settled();
  const missed = () => browser.requests.map((call) => Math.round((call.missed - MARGIN) / 100) * 100);
  return { ...browser, events, received, missed, aborted: () => abortedOf(browser) };
}
const abortedOf = ({ requests }: Browser) => requests.map(({ signal }) => signal.aborted);
const tabsOf = ({ requests }: Browser) => requests.map(({ tab }) => tab);
const changed = (data: unknown) => `event: lead.changed\ndata: ${JSON.stringify(data)}\n\n`;

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  // Responses that earlier files prefetched are too old by then.
  vi.advanceTimersByTime(3_600_000);
  vi.stubGlobal("BroadcastChannel", fakeChannels());
  // The first import of this module takes real time.
  await import("../../src/services/event-sharing.ts");
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await settled();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("server events", () => {
  it("reach listeners of their type, however the stream is chunked", async () => {
    const stream = eventStream();
    const { received, requests } = await openTab(stream.answer);
    expect(requests.map(({ token }) => token)).toEqual(["token of ann"]);
    stream.write(": hello\n\nevent: lead.ch");
    await settled();
    stream.write('anged\ndata: {"id":1}\n\nevent: bulk.changed\ndata: {}\n\nevent: unknown\ndata: {}\n\n');
    stream.write("event: lead.changed\r\ndata: not json\r\n\r\n");
    await settled();
    expect(received).toEqual([{ id: 1 }, null]);
  });

  it("are requested since the first attempt when the stream starts after a failure", async () => {
    const Channel = fakeChannels();
    let attempts = 0;
    vi.stubGlobal("fetch", () => new Promise(() => {}));
    prefetch("/api/leads", {});
    vi.stubGlobal("BroadcastChannel", function open(name: string) {
      attempts += 1;
      if (attempts > 1) return new Channel(name);
      vi.advanceTimersByTime(3_000);
      throw new TypeError("no channel");
    });
    const { missed } = await openTab(eventStream().answer);
    expect(missed()).toEqual([3_000]);
  });

  it("are requested from the time of the prefetched responses", async () => {
    vi.stubGlobal("fetch", () => new Promise(() => {}));
    prefetch("/api/leads", {});
    await vi.advanceTimersByTimeAsync(4_000);
    expect((await openTab(eventStream().answer)).missed()).toEqual([4_000]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await openTab(eventStream().answer)).missed()).toEqual([0]);
  });

  it("reconnect with the time missed, including the machine's sleep", async () => {
    const streams = [eventStream(), eventStream(), eventStream()] as const;
    const { received, missed } = await openTab(...streams.map(({ answer }) => answer));
    await vi.advanceTimersByTimeAsync(10_000);
    streams[0].write(": ping\n\n");
    await settled();
    await vi.advanceTimersByTimeAsync(700);
    streams[0].end();
    await settled();
    expect(missed()).toEqual([0, 700]);
    streams[1].write(changed(2));
    await settled();
    expect(received).toEqual([2]);
    vi.setSystemTime(Date.now() + 600_000);
    streams[1].end();
    await settled();
    expect(missed()[2]).toEqual(600_000);
  });

  it("are requested again after two minutes from a server without a stream", async () => {
    const { events, aborted } = await openTab(() => refusing(404), eventStream().answer);
    events.subscribe("lead.changed", () => {})();
    record(events, "subscription.changed");
    await vi.advanceTimersByTimeAsync(119_000);
    expect(aborted()).toEqual([true]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(aborted()).toEqual([true, false]);
  });

  it("are not requested when signed out", async () => {
    const browser = fakeBrowser([]);
    record(browser.openTab("1", { current: null }));
    await settled();
    expect(browser.requests).toEqual([]);
  });

  it("close the stream without listeners, but not during navigation", async () => {
    const browser = fakeBrowser([eventStream().answer]);
    const events = browser.openTab("1", ann);
    const leave = events.subscribe("lead.changed", () => {});
    await settled();
    leave();
    const leaveNext = events.subscribe("bulk.changed", () => {});
    await settled();
    expect(abortedOf(browser)).toEqual([false]);
    leaveNext();
    await settled();
    expect(abortedOf(browser)).toEqual([true]);
  });

  it("wait as long as a rate limit says", async () => {
    const { requests } = await openTab(() => refusing(429, { "retry-after": "15" }), eventStream().answer);
    await vi.advanceTimersByTimeAsync(14_900);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(requests).toHaveLength(2);
  });

  it("renew a token that the server refuses", async () => {
    const stream = eventStream();
    const { received, renewals } = await openTab(() => refusing(401), stream.answer);
    stream.write(changed(1));
    await settled();
    expect([received, renewals.length]).toEqual([[1], 1]);
  });

  it("are requested after a refusal only when a screen subscribes again", async () => {
    const { requests, events } = await openTab(() => refusing(403), eventStream().answer);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toHaveLength(1);
    record(events, "subscription.changed");
    await settled();
    expect(requests).toHaveLength(2);
  });

  it("reconnect within 45 seconds when the stream falls silent", async () => {
    const [first, second] = [eventStream(), eventStream()];
    const { received, requests, aborted } = await openTab(first.answer, second.answer);
    await vi.advanceTimersByTimeAsync(30_000);
    first.write(": ping\n\n");
    await vi.advanceTimersByTimeAsync(34_000);
    expect(aborted()).toEqual([false]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(aborted()).toEqual([true, false]);
    expect(requests[1]?.missed).toBeGreaterThanOrEqual(35_000 + MARGIN);
    second.write(changed(1));
    await settled();
    expect(received).toEqual([1]);
  });
});

describe("many tabs", () => {
  it("share one stream, which passes to another tab on close without a gap", async () => {
    const [first, second] = [eventStream(), eventStream()];
    const browser = fakeBrowser([first.answer, second.answer]);
    const [leader, ...others] = Array.from({ length: 20 }, (_, index) => browser.openTab(String(index), ann));
    const closeLeader = leader?.subscribe("lead.changed", () => {});
    const received = others.map((tab) => record(tab));
    await settled();
    first.write(`: open\n\n${changed("a")}`);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([tabsOf(browser), received]).toEqual([["0"], received.map(() => ["a"])]);
    closeLeader?.();
    await settled();
    expect([tabsOf(browser), abortedOf(browser)]).toEqual([
      ["0", "1"],
      [true, false],
    ]);
    expect(browser.requests[1]?.missed).toBeGreaterThanOrEqual(5_000 + MARGIN);
    second.write(changed("b"));
    await settled();
    expect(received).toEqual(received.map(() => ["a", "b"]));
  });

  it("take the stream over from a frozen tab within 45 seconds without a gap", async () => {
    const { openTab: open, requests, locks } = fakeBrowser([eventStream().answer]);
    const stolenFrom = locks.request("leadloom.events.ann", {}, () => new Promise<never>(() => {})).catch(String);
    record(open("2", ann));
    await vi.advanceTimersByTimeAsync(37_000);
    expect(requests).toEqual([]);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(requests.map(({ tab, missed }) => [tab, missed > 37_000])).toEqual([["2", true]]);
    expect(await stolenFrom).toContain("AbortError");
  });

  it("leave the stream to a tab that is still reconnecting", async () => {
    const browser = fakeBrowser([() => refusing(429, { "retry-after": "600" })]);
    for (const name of ["1", "2"]) record(browser.openTab(name, ann));
    await vi.advanceTimersByTimeAsync(300_000);
    expect(tabsOf(browser)).toEqual(["1"]);
  });

  it("refresh everything when they missed more than the tab that took over", async () => {
    const { openTab: open, locks } = fakeBrowser([]);
    void locks.request("leadloom.events.ann", {}, () => new Promise<never>(() => {})).catch(() => {});
    const events = open("1", ann);
    const [leads, access, code] = [
      record(events),
      record(events, "subscription.changed"),
      record(events, "telegram.qr"),
    ];
    await vi.advanceTimersByTimeAsync(20_000);
    const other = new BroadcastChannel("leadloom.events.ann");
    other.postMessage({ kind: "opened", missed: 19_500 });
    expect([leads, access, code]).toEqual([[], [], []]);
    other.postMessage({ kind: "opened", missed: 5_000 });
    expect([leads, access, code]).toEqual([[{}], [{}], []]);
  });

  it.each([30_500, 40_000])("refresh everything when they read %i ms ago, before the kept events", async (age) => {
    const stream = eventStream();
    const browser = fakeBrowser([stream.answer]);
    const first = record(browser.openTab("1", ann));
    await settled();
    stream.write(changed("old"));
    await settled();
    const second = record(browser.openTab("2", ann));
    vi.setSystemTime(Date.now() + age);
    await settled();
    expect([first, second]).toEqual([["old"], [{}]]);
  });

  it("refresh everything when they read before the time a new leader asked from", async () => {
    const [first, second] = [eventStream(), eventStream()];
    const browser = fakeBrowser([first.answer, second.answer]);
    const [leader, follower] = [browser.openTab("1", ann), browser.openTab("2", ann)];
    const closeLeader = leader.subscribe("lead.changed", () => {});
    record(follower);
    await settled();
    vi.stubGlobal("fetch", () => new Promise(() => {}));
    prefetch("/api/leads", {});
    await vi.advanceTimersByTimeAsync(1_000);
    first.write(changed("missed"));
    await vi.advanceTimersByTimeAsync(4_000);
    first.write(changed("heard by the next leader"));
    await settled();
    closeLeader();
    await settled();
    const received = record(browser.openTab("3", ann));
    await settled();
    expect(received).toEqual([{}]);
  });

  it("get the events since their first reads from the leader, once", async () => {
    const stream = eventStream();
    const browser = fakeBrowser([stream.answer]);
    const first = record(browser.openTab("1", ann));
    await settled();
    stream.write(changed("old"));
    await vi.advanceTimersByTimeAsync(3_000);
    vi.stubGlobal("fetch", () => new Promise(() => {}));
    prefetch("/api/leads", {});
    await vi.advanceTimersByTimeAsync(1_000);
    stream.write(changed("missed"));
    await vi.advanceTimersByTimeAsync(1_000);
    const second = record(browser.openTab("2", ann));
    await settled();
    stream.write(changed("next"));
    await settled();
    expect([first, second]).toEqual([
      ["old", "missed", "next"],
      ["missed", "next"],
    ]);
  });

  it("of two users get only their own events, also after another sign-in", async () => {
    const [annStream, bobStream, nextStream] = [eventStream(), eventStream(), eventStream()];
    const browser = fakeBrowser([annStream.answer, bobStream.answer, nextStream.answer]);
    const session = { current: "ann" as string | null };
    const annTab = browser.openTab("ann's", session);
    const [annReceived, bobReceived] = [record(annTab), record(browser.openTab("bob's", { current: "bob" }))];
    await settled();
    annStream.write(changed("ann"));
    bobStream.write(changed("bob"));
    await settled();
    expect([annReceived, bobReceived]).toEqual([["ann"], ["bob"]]);
    session.current = "cleo";
    annStream.write(changed("late"));
    await settled();
    annTab.follow();
    await settled();
    expect(annReceived).toEqual(["ann"]);
    expect(browser.requests.map(({ token, signal }) => [token, signal.aborted])).toEqual([
      ["token of ann", true],
      ["token of bob", false],
      ["token of cleo", false],
    ]);
    session.current = null;
    annTab.follow();
    await settled();
    expect(abortedOf(browser)).toEqual([true, false, true]);
  });

  it("share the knowledge that the server has no stream", async () => {
    const browser = fakeBrowser([() => refusing(405)]);
    for (const name of ["1", "2", "3"]) record(browser.openTab(name, ann));
    await vi.advanceTimersByTimeAsync(110_000);
    expect(browser.requests).toHaveLength(1);
  });

  it("open a stream each when the browser cannot share one", async () => {
    const browser = fakeBrowser([eventStream().answer, eventStream().answer]);
    for (const name of ["1", "2"]) record(browser.openTab(name, ann, false));
    await settled();
    expect(tabsOf(browser)).toEqual(["1", "2"]);
  });
});

describe("a page that returns", () => {
  it("to the foreground refreshes its lists, but neither access nor a login code", async () => {
    const { events, received, requests } = await openTab(eventStream().answer);
    const [access, code] = [record(events, "subscription.changed"), record(events, "telegram.qr")];
    const visibility = vi.spyOn(document, "visibilityState", "get");
    for (const [state, leads] of [
      ["hidden", []],
      ["visible", [{}]],
    ] as const) {
      visibility.mockReturnValue(state);
      document.dispatchEvent(new Event("visibilitychange"));
      expect([received, access, code]).toEqual([leads, [], []]);
    }
    await settled();
    expect(requests).toHaveLength(1);
  });

  it("online or from sleep refreshes and reconnects", async () => {
    const { received, requests } = await openTab(...[1, 2, 3].map(() => eventStream().answer));
    window.dispatchEvent(new Event("online"));
    await settled();
    expect([received.length, requests.length]).toEqual([1, 2]);
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([received.length, requests.length]).toEqual([2, 3]);
    expect(requests[2]?.missed).toBeGreaterThan(3_600_000);
  });

  it("refreshes also when the server has no stream", async () => {
    const { received } = await openTab(() => refusing(404));
    window.dispatchEvent(new Event("online"));
    expect(received).toEqual([{}]);
  });

  it("from the back-forward cache continues", async () => {
    const { received, aborted } = await openTab(eventStream().answer, eventStream().answer);
    window.dispatchEvent(new Event("pagehide"));
    await settled();
    expect(aborted()).toEqual([true]);
    window.dispatchEvent(new Event("pageshow"));
    await settled();
    expect([aborted(), received]).toEqual([[true, false], [{}]]);
  });
});
