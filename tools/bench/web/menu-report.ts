import type { Browser } from "@playwright/test";
import { type Click, SCREENS, clickThrough } from "./menu.ts";
import { describeFrames, line, median, ms, spread } from "./report.ts";
import type { StorageState } from "./visit.ts";

const BUDGET_MS = 120;

/** Measures a click on each menu entry, each in a fresh context; half as many runs as for the lists. */
export async function measureMenu(
  browser: Browser,
  url: string,
  signedIn: StorageState,
  runs: number,
  only: string | null,
): Promise<void> {
  const screens = SCREENS.filter(({ link }) => only === null || link.toLowerCase() === only);
  if (screens.length === 0) throw new Error(`--only takes one of ${SCREENS.map(({ link }) => link).join(", ")}.`);
  const times = Math.ceil(runs / 2);
  const clicks = new Map(screens.map((screen) => [screen, [] as Click[]]));
  for (let run = 0; run <= times; run++)
    for (const [screen, taken] of clicks) {
      const click = await clickThrough(browser, url, signedIn, screen);
      if (run > 0) taken.push(click);
    }
  console.log(`\nFrom a click in the menu to the content, full speed, median of ${times} first clicks`);
  for (const [{ link }, taken] of clicks) {
    const painted = taken.map((click) => click.painted);
    const tasks = taken.map((click) => click.tasks.length);
    const cause = describeFrames(taken.flatMap(({ frames }) => frames));
    line(link, spread(painted, ms), { limit: ms(BUDGET_MS), isMet: median(painted) <= BUDGET_MS, cause });
    if (median(tasks) > 0)
      line(`${link}, tasks over 50 ms`, spread(tasks, String), { limit: "0", isMet: false, cause });
  }
}
