import type { Browser } from "@playwright/test";
import type { Frame, Seen } from "./probe.ts";
import { describeFrames, line, mb, median, ms, spread } from "./report.ts";
import { PROFILES, type StorageState, inFreshContext, inTime, visitList } from "./visit.ts";

const OF_LIST = 1.4;
const MAX_HEAP = 8e6;
const LONGEST_FRAME_MS = 50;
/** 60 frames a second, with room for the host's jitter. */
const FRAME_MS = 17.5;
const DROP_MS = 50;

type Dragged = { frames: number[]; long: Frame[]; drop: number };
type BoardVisit = { ready: number; heap: number; dragged: Dragged | null };

/** Measures board and leads list alternately. In the last visit, drags a card over the columns and drops it. */
export async function measureBoard(
  browser: Browser,
  url: string,
  signedIn: StorageState,
  runs: number,
  leads: number,
): Promise<void> {
  const [fullSpeed] = PROFILES;
  if (!fullSpeed) throw new Error("There is no profile.");
  const list: number[] = [];
  const boards: BoardVisit[] = [];
  for (let run = 0; run <= runs; run++) {
    const { ready } = await visitList(browser, url, { ...fullSpeed, mobile: LOOPBACK }, signedIn);
    const board = await visitBoard(browser, url, signedIn, run === runs);
    console.error(`run ${run}/${runs}: list ${ms(ready)}, board ${ms(board.ready)}`);
    if (run === 0) continue;
    list.push(ready);
    boards.push(board);
  }
  console.log(`\nA board of ${leads} leads, full speed, median of ${runs} cold visits each, alternately`);
  const ready = boards.map((board) => board.ready);
  const share = ready.map((time, run) => time / (list[run] ?? Number.NaN));
  line("50 leads ready", spread(list, ms));
  line("the board's cards ready", spread(ready, ms));
  line(
    "the board, times the list",
    spread(share, (value) => value.toFixed(2)),
    { limit: String(OF_LIST), isMet: median(share) <= OF_LIST },
  );
  const heaps = boards.map(({ heap }) => heap);
  line("JS heap, board", spread(heaps, mb), { limit: mb(MAX_HEAP), isMet: median(heaps) <= MAX_HEAP });
  const dragged = boards.at(-1)?.dragged;
  if (!dragged) throw new Error("No card was dragged.");
  const { frames, long, drop } = dragged;
  line(
    `a frame of the drag, of ${frames.length}`,
    spread(frames, (value) => `${value.toFixed(1)} ms`),
    {
      limit: `${FRAME_MS} ms`,
      isMet: median(frames) <= FRAME_MS && Math.max(...frames) <= LONGEST_FRAME_MS,
      cause: describeFrames(long),
    },
  );
  line("from the drop to the frame with the card", ms(drop), { limit: ms(DROP_MS), isMet: drop <= DROP_MS });
}

/** No network delay: a visit to the list that ends once it is loaded. */
const LOOPBACK = { latencyMs: 0, downKbps: 8_000_000, upKbps: 8_000_000 };

const CARDS = `document.querySelectorAll("[data-card]").length`;

const visitBoard = (browser: Browser, baseURL: string, signedIn: StorageState, isDragged: boolean) => {
  const [fullSpeed] = PROFILES;
  if (!fullSpeed) throw new Error("There is no profile.");
  return inFreshContext<BoardVisit>(browser, baseURL, fullSpeed, signedIn, async ({ page, client, network }) => {
    await page.goto("/board", { waitUntil: "commit" });
    const ready = await inTime("the board", page.evaluate<number>(`__bench.when(() => ${CARDS} >= 10)`));
    await page.waitForTimeout(1_500);
    await network.settled();
    await client.send("HeapProfiler.collectGarbage");
    await client.send("HeapProfiler.collectGarbage");
    const { metrics } = await client.send("Performance.getMetrics");
    const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN;
    if (!isDragged) return { ready, heap, dragged: null };

    const card = page.locator("[data-card]").first();
    const id = await card.getAttribute("data-card");
    const from = await card.boundingBox();
    const to = await page.locator("[data-stage]").nth(2).boundingBox();
    if (from === null || to === null) throw new Error("The card or the column is not on the screen.");
    await page.evaluate(`{
      __bench.tasks.length = __bench.frames.length = 0;
      __bench.deltas = [];
      let last = 0;
      const tick = (now) => {
        if (last !== 0) __bench.deltas.push(now - last);
        last = now;
        if (__bench.landed === undefined) requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
      addEventListener("drop", (event) => {
        const begun = event.timeStamp;
        const there = () => document.querySelectorAll("[data-stage]")[2].querySelector('[data-card="${id}"]') !== null;
        __bench.dropped = __bench.when(there).then((end) => { __bench.landed = end - begun; return end - begun; });
      }, true);
      undefined;
    }`);
    await page.mouse.move(from.x + 40, from.y + 30);
    await page.mouse.down();
    for (let step = 1; step <= 60; step += 1) {
      const part = step / 60;
      await page.mouse.move(from.x + 40 + (to.x + 60 - from.x - 40) * part, from.y + 30 + 200 * part);
    }
    await page.mouse.up();
    const drop = await inTime("the card in its new column", page.evaluate<number>("__bench.dropped"));
    const { frames: long } = await page.evaluate<Seen>("__bench");
    const frames = await page.evaluate<number[]>("__bench.deltas");
    return { ready, heap, dragged: { frames, long, drop } };
  });
};
