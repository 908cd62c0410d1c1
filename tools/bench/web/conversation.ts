import type { Browser } from "@playwright/test";
import { describeFrames, line, median, ms, spread } from "./report.ts";
import type { Frame, Seen } from "./probe.ts";
import { PROFILES, type StorageState, inFreshContext, inTime, visitList } from "./visit.ts";

/** The length of the long conversation. */
export const MESSAGES = 10_000;
const OF_LIST = 1.3;
const LONGEST_FRAME_MS = 50;
const OLDER_PAGE_MS = 100;
/** The scroll speed of a wheel turned without a pause, in CSS pixels per frame. */
const STEP_PX = 1_600;
const SCROLLED_WITHIN_MS = 100_000;

type Scrolled = { older: number[]; frames: Frame[]; oldest: string; rows: number };
type Talk = { ready: number; scrolled: Scrolled | null };

/** Measures the longest conversation and the leads list alternately. In the last visit, scrolls to its first message. */
export async function measureConversation(
  browser: Browser,
  url: string,
  signedIn: StorageState,
  runs: number,
  leadId: string,
): Promise<void> {
  const [fullSpeed] = PROFILES;
  if (!fullSpeed) throw new Error("There is no profile.");
  const list: number[] = [];
  const talks: Talk[] = [];
  for (let run = 0; run <= runs; run++) {
    const { ready } = await visitList(browser, url, { ...fullSpeed, mobile: LOOPBACK }, signedIn);
    const talk = await visitConversation(browser, url, signedIn, leadId, run === runs);
    console.error(`run ${run}/${runs}: list ${ms(ready)}, conversation ${ms(talk.ready)}`);
    if (run === 0) continue;
    list.push(ready);
    talks.push(talk);
  }
  console.log(`\nA conversation of ${MESSAGES} messages, full speed, median of ${runs} cold visits each, alternately`);
  const ready = talks.map((talk) => talk.ready);
  const share = ready.map((time, run) => time / (list[run] ?? Number.NaN));
  line("50 leads ready", spread(list, ms));
  line("the newest messages ready", spread(ready, ms));
  line(
    "the newest messages, times the list",
    spread(share, (value) => value.toFixed(2)),
    {
      limit: String(OF_LIST),
      isMet: median(share) <= OF_LIST,
    },
  );
  const scrolled = talks.at(-1)?.scrolled;
  if (!scrolled) throw new Error("Nothing scrolled.");
  const { older, frames, oldest, rows } = scrolled;
  const longest = Math.max(0, ...frames.map(({ duration }) => duration));
  line(`scrolled through to '${oldest}'`, `${older.length} pages, at most ${rows} rows at once`);
  line("an older page, from asking to its frame", spread(older, ms), {
    limit: ms(OLDER_PAGE_MS),
    isMet: median(older) <= OLDER_PAGE_MS,
  });
  line(
    "the longest frame while scrolling",
    longest === 0 ? "none over 50 ms" : `${ms(longest)}, ${frames.length} over`,
    {
      limit: ms(LONGEST_FRAME_MS),
      isMet: longest <= LONGEST_FRAME_MS,
      cause: describeFrames(frames),
    },
  );
}

/** No network delay: a visit to the list that ends once it is loaded. */
const LOOPBACK = { latencyMs: 0, downKbps: 8_000_000, upKbps: 8_000_000 };

const visitConversation = (
  browser: Browser,
  baseURL: string,
  signedIn: StorageState,
  leadId: string,
  isScrolled: boolean,
): Promise<Talk> => {
  const [fullSpeed] = PROFILES;
  if (!fullSpeed) throw new Error("There is no profile.");
  return inFreshContext(browser, baseURL, fullSpeed, signedIn, async ({ page, network }) => {
    await page.goto(`/leads/${leadId}`, { waitUntil: "commit" });
    const shown = `document.querySelector('[aria-label="Messages"]')?.textContent.includes("Message ${MESSAGES}")`;
    const ready = await inTime("the conversation", page.evaluate<number>(`__bench.when(() => ${shown})`));
    if (!isScrolled) return { ready, scrolled: null };
    await page.waitForTimeout(1_500);
    await network.settled();
    await page.evaluate("void (__bench.tasks.length = __bench.frames.length = 0)");
    const went = await page.evaluate<Omit<Scrolled, "frames">>(SCROLL);
    const { frames } = await page.evaluate<Seen>("__bench");
    return { ready, scrolled: { ...went, frames } };
  });
};

/** Scrolls one step per frame until the first message is shown. An older page has loaded in the frame in which the content grew. */
const SCROLL = `new Promise((done, fail) => {
  const scroller = document.querySelector('[aria-label="Messages"]');
  const older = [];
  let requestedAt = null, rows = 0, height = scroller.scrollHeight;
  const begun = performance.now();
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (/messages\\?.*before=/.test(name)) requestedAt = startTime;
  }).observe({ type: "resource" });
  const turn = () => {
    const now = performance.now();
    if (scroller.scrollHeight > height + 500 && requestedAt !== null) {
      older.push(now - requestedAt);
      requestedAt = null;
    }
    height = scroller.scrollHeight;
    const items = scroller.querySelectorAll('[role="listitem"]');
    rows = Math.max(rows, items.length);
    if (scroller.scrollTop === 0 && /Message 1\\b/.test(items[0]?.textContent ?? ""))
      return done({ older, rows, oldest: "Message 1" });
    if (now - begun > ${SCROLLED_WITHIN_MS}) return done({ older, rows, oldest: /Message \\d+/.exec(scroller.textContent)?.[0] ?? "" });
    scroller.scrollTop -= ${STEP_PX};
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
})`;
