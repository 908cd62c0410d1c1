import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { prefetch } from "../../src/services/prefetched.ts";
import { eventStream, fakeBrowser, fakeChannels, settled } from "../support/tabs.ts";

const OPEN = ": open\n\n";
const MARGIN = 2_000;
const ann = { current: "ann" };
const listen = (events: ReturnType<ReturnType<typeof fakeBrowser>["openTab"]>, heard: unknown[]) =>
  events.subscribe("lead.changed", (data) => void heard.push(data));

const stops: (() => void)[] = [];
/** Hears the type for the length of the test. */
function hear(
  events: ReturnType<ReturnType<typeof fakeBrowser>["openTab"]>,
  type: "lead.changed" | "subscription.changed" | "telegram.qr" = "lead.changed",
) {
  const heard: unknown[] = [];
  stops.push(events.subscribe(type, (data) => void heard.push(data)));
  return heard;
}

beforeEach(async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubGlobal("BroadcastChannel", fakeChannels());
  // The first import of the stream's code takes real time.
  await import("../../src/services/event-sharing.ts");
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await settled();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("server events", () => {
  it("reach those who listen to their type, however the stream is cut", async () => {
    const first = eventStream();
    const { openTab, asked } = fakeBrowser([first.answer]);
    const heard = hear(openTab("1", ann));
    await settled();
    expect(asked.map(({ token }) => token)).toEqual(["token of ann"]);
    first.write(": hello\n\nevent: lead.ch");
    await settled();
    first.write('anged\ndata: {"id":1}\n\nevent: bulk.changed\ndata: {}\n\nevent: unknown\ndata: {}\n\n');
    first.write("event: lead.changed\r\ndata: not json\r\n\r\n");
    await settled();
    expect(heard).toEqual([{ id: 1 }, null]);
  });

  it("are asked for from the time at which the screen's answers were asked for ahead", async () => {
    vi.stubGlobal("fetch", () => new Promise(() => {}));
    prefetch("/api/leads", {});
    await vi.advanceTimersByTimeAsync(4_000);
    const { openTab, asked } = fakeBrowser([eventStream().answer]);
    hear(openTab("1", ann));
    await settled();
    expect(Math.round((asked[0]!.missed - MARGIN) / 100) * 100).toEqual(4_000);
    await vi.advanceTimersByTimeAsync(10_000);
    const later = fakeBrowser([eventStream().answer]);
    hear(later.openTab("1", ann));
    await settled();
    expect(Math.round((later.asked[0]!.missed - MARGIN) / 100) * 100).toEqual(0);
  });

  it("go on after a lost connection, and say for how long nothing was heard", async () => {
    const [first, second] = [eventStream(), eventStream()];
    const { openTab, asked } = fakeBrowser([first.answer, second.answer]);
    const heard = hear(openTab("1", ann));
    await settled();
    await vi.advanceTimersByTimeAsync(10_000);
    first.write(": ping\n\n");
    await settled();
    await vi.advanceTimersByTimeAsync(700);
    first.end();
    await settled();
    expect(asked.map(({ missed }) => Math.round((missed - MARGIN) / 100) * 100)).toEqual([0, 700]);
    second.write("event: lead.changed\ndata: 2\n\n");
    await settled();
    expect(heard).toEqual([2]);
  });

  it("count the time a machine slept as time in which nothing was heard", async () => {
    const [first, second] = [eventStream(), eventStream()];
    const { openTab, asked } = fakeBrowser([first.answer, second.answer]);
    hear(openTab("1", ann));
    await settled();
    vi.setSystemTime(Date.now() + 600_000);
    first.end();
    await settled();
    expect(asked[1]?.missed).toBeGreaterThan(600_000);
  });

  it("are asked for again in two minutes from a server that has none", async () => {
    const { openTab, asked } = fakeBrowser([() => new Response("", { status: 404 }), eventStream().answer]);
    const events = openTab("1", ann);
    hear(events);
    await settled();
    listen(events, [])();
    hear(events, "subscription.changed");
    await vi.advanceTimersByTimeAsync(119_000);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it("are not asked for by someone signed out", async () => {
    const { openTab, asked } = fakeBrowser([]);
    hear(openTab("1", { current: null }));
    await settled();
    expect(asked).toEqual([]);
  });

  it("end their stream when nobody listens any more, and not while screens change", async () => {
    const { openTab, asked } = fakeBrowser([eventStream().answer]);
    const events = openTab("1", ann);
    const leave = listen(events, []);
    await settled();
    leave();
    const leaveNext = events.subscribe("bulk.changed", () => {});
    await settled();
    expect(asked[0]?.signal.aborted).toEqual(false);
    leaveNext();
    await settled();
    expect(asked[0]?.signal.aborted).toEqual(true);
  });

  it("are asked for later when the server is asked too often, as late as it says", async () => {
    const busy = () => new Response("{}", { status: 429, headers: { "retry-after": "15" } });
    const { openTab, asked } = fakeBrowser([busy, eventStream().answer]);
    hear(openTab("1", ann));
    await settled();
    await vi.advanceTimersByTimeAsync(14_900);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(asked).toHaveLength(2);
  });

  it("are asked for again after a refusal only when a screen asks anew", async () => {
    const { openTab, asked } = fakeBrowser([() => new Response("{}", { status: 403 }), eventStream().answer]);
    const events = openTab("1", ann);
    hear(events);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
    hear(events, "subscription.changed");
    await settled();
    expect(asked).toHaveLength(2);
  });

  it("come by a new stream when the old one falls silent, within 45 seconds", async () => {
    const [first, second] = [eventStream(), eventStream()];
    const { openTab, asked } = fakeBrowser([first.answer, second.answer]);
    const heard = hear(openTab("1", ann));
    await settled();
    first.write(OPEN);
    await vi.advanceTimersByTimeAsync(30_000);
    first.write(": ping\n\n");
    await vi.advanceTimersByTimeAsync(34_000);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(asked[1]?.missed).toBeGreaterThanOrEqual(35_000 + MARGIN);
    second.write("event: lead.changed\ndata: 1\n\n");
    await settled();
    expect(heard).toEqual([1]);
  });
});

describe("many tabs", () => {
  it("share one stream, which goes on to another tab when its own is closed, with what was missed", async () => {
    const [first, second] = [eventStream(), eventStream()];
    const { openTab, asked } = fakeBrowser([first.answer, second.answer]);
    const tabs = Array.from({ length: 20 }, (_, index) => openTab(String(index), ann));
    const closeFirst = listen(tabs[0] as (typeof tabs)[0], []);
    const heard = tabs.slice(1).map((tab) => hear(tab));
    await settled();
    expect(asked.map(({ tab }) => tab)).toEqual(["0"]);
    first.write(`${OPEN}event: lead.changed\ndata: {"id":"a"}\n\n`);
    await settled();
    expect(heard).toEqual(heard.map(() => [{ id: "a" }]));
    await vi.advanceTimersByTimeAsync(5_000);
    closeFirst();
    await settled();
    expect(asked.map(({ tab }) => tab)).toEqual(["0", "1"]);
    expect(asked[0]?.signal.aborted).toEqual(true);
    expect(asked[1]?.missed).toBeGreaterThanOrEqual(5_000 + MARGIN);
    second.write('event: lead.changed\ndata: {"id":"b"}\n\n');
    await settled();
    expect(heard).toEqual(heard.map(() => [{ id: "a" }, { id: "b" }]));
  });

  it("take the stream from a tab that the browser has frozen, within 45 seconds and with what was missed", async () => {
    const { openTab, asked, locks } = fakeBrowser([eventStream().answer]);
    const robbed = locks.request("leadloom.events.ann", {}, () => new Promise<never>(() => {})).catch(String);
    hear(openTab("2", ann));
    await vi.advanceTimersByTimeAsync(37_000);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(asked.map(({ tab, missed }) => [tab, missed > 37_000])).toEqual([["2", true]]);
    expect(await robbed).toContain("AbortError");
  });

  it("leave the stream to a tab that is still trying to reach the server", async () => {
    const { openTab, asked } = fakeBrowser([
      () => new Response("{}", { status: 429, headers: { "retry-after": "600" } }),
    ]);
    for (const name of ["1", "2"]) hear(openTab(name, ann));
    await vi.advanceTimersByTimeAsync(300_000);
    expect(asked.map(({ tab }) => tab)).toEqual(["1"]);
  });

  it("read everything anew when they missed more than the tab that took over", async () => {
    const { openTab, locks } = fakeBrowser([]);
    void locks.request("leadloom.events.ann", {}, () => new Promise<never>(() => {})).catch(() => {});
    const events = openTab("1", ann);
    const [leads, access, code] = [hear(events), hear(events, "subscription.changed"), hear(events, "telegram.qr")];
    await vi.advanceTimersByTimeAsync(20_000);
    const other = new BroadcastChannel("leadloom.events.ann");
    other.postMessage({ kind: "opened", missed: 19_500 });
    expect([leads, access, code]).toEqual([[], [], []]);
    other.postMessage({ kind: "opened", missed: 5_000 });
    expect([leads, access, code]).toEqual([[{}], [{}], []]);
  });

  it("of two people hear nothing of each other, nor does a tab in which somebody else has signed in", async () => {
    const [annStream, bobStream, nextStream] = [eventStream(), eventStream(), eventStream()];
    const { openTab, asked } = fakeBrowser([annStream.answer, bobStream.answer, nextStream.answer]);
    const session = { current: "ann" as string | null };
    const annTab = openTab("ann's", session);
    const [annHeard, bobHeard] = [hear(annTab), hear(openTab("bob's", { current: "bob" }))];
    await settled();
    annStream.write('event: lead.changed\ndata: "ann"\n\n');
    bobStream.write('event: lead.changed\ndata: "bob"\n\n');
    await settled();
    expect([annHeard, bobHeard]).toEqual([["ann"], ["bob"]]);
    session.current = "cleo";
    annStream.write('event: lead.changed\ndata: "late"\n\n');
    await settled();
    annTab.follow();
    await settled();
    expect(annHeard).toEqual(["ann"]);
    expect(asked.map(({ token, signal }) => [token, signal.aborted])).toEqual([
      ["token of ann", true],
      ["token of bob", false],
      ["token of cleo", false],
    ]);
    session.current = null;
    annTab.follow();
    await settled();
    expect(asked[2]?.signal.aborted).toEqual(true);
  });

  it("learn from each other that the server has no events", async () => {
    const { openTab, asked } = fakeBrowser([() => new Response("", { status: 405 })]);
    for (const name of ["1", "2", "3"]) hear(openTab(name, ann));
    await vi.advanceTimersByTimeAsync(110_000);
    expect(asked).toHaveLength(1);
  });

  it("have a stream each where the browser cannot share one", async () => {
    const { openTab, asked } = fakeBrowser([eventStream().answer, eventStream().answer]);
    for (const name of ["1", "2"]) hear(openTab(name, ann, false));
    await settled();
    expect(asked.map(({ tab }) => tab)).toEqual(["1", "2"]);
  });
});

describe("a page that comes back", () => {
  const show = (state: "visible" | "hidden") => {
    vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
    document.dispatchEvent(new Event("visibilitychange"));
  };

  it("to the front reads its lists anew, but neither access nor a login code", async () => {
    const { openTab, asked } = fakeBrowser([eventStream().answer]);
    const events = openTab("1", ann);
    const [leads, access, code] = [hear(events), hear(events, "subscription.changed"), hear(events, "telegram.qr")];
    await settled();
    show("hidden");
    expect(leads).toEqual([]);
    show("visible");
    expect([leads, access, code]).toEqual([[{}], [], []]);
    await settled();
    expect(asked).toHaveLength(1);
  });

  it("to the network, or from sleep, reads anew and connects anew", async () => {
    const { openTab, asked } = fakeBrowser([1, 2, 3].map(() => eventStream().answer));
    const leads = hear(openTab("1", ann));
    await settled();
    window.dispatchEvent(new Event("online"));
    await settled();
    expect([leads.length, asked.length]).toEqual([1, 2]);
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([leads.length, asked.length]).toEqual([2, 3]);
    expect(asked[2]?.missed).toBeGreaterThan(3_600_000);
  });

  it("reads anew also where the server has no events", async () => {
    const { openTab } = fakeBrowser([() => new Response("", { status: 404 })]);
    const leads = hear(openTab("1", ann));
    await settled();
    window.dispatchEvent(new Event("online"));
    expect(leads).toEqual([{}]);
  });

  it("from the browser's cache goes on where it was", async () => {
    const { openTab, asked } = fakeBrowser([eventStream().answer, eventStream().answer]);
    const leads = hear(openTab("1", ann));
    await settled();
    window.dispatchEvent(new Event("pagehide"));
    await settled();
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true]);
    window.dispatchEvent(new Event("pageshow"));
    await settled();
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(leads).toEqual([{}]);
  });
});
