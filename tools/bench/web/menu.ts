import type { Browser } from "@playwright/test";
import type { Frame, Seen } from "./probe.ts";
import { PROFILES, type StorageState, inFreshContext, inTime } from "./visit.ts";

/** The screens of the menu, each with a text that appears only with its content. */
export const SCREENS = [
  { link: "Dashboard", heading: "Welcome", text: "Connected" },
  { link: "Inbox", heading: "Inbox", text: "Waiting" },
  { link: "Leads", heading: "Leads", text: "Send Follow-Up" },
  { link: "Stages", heading: "Manage Stages", text: "Interested" },
  { link: "Follow-up Settings", heading: "Follow-up Settings", text: "What to say next in stage 1." },
  { link: "Reminders", heading: "Reminder Rules", text: "{name} is stuck." },
  { link: "Snippets", heading: "Snippets", text: "ten euros" },
  { link: "Bulk Message", heading: "Bulk Message Sender", text: "Interested" },
  { link: "Stats", heading: "Stats", text: "Stage-to-Stage Conversion" },
  { link: "Connect Telegram", heading: "Connect Telegram", text: "+15550001111" },
  { link: "Billing", heading: "Billing", text: "Subscription Active" },
] as const;
export type MenuScreen = (typeof SCREENS)[number];

/** The time from the press to the painted content in milliseconds, and the tasks and frames that blocked the page since. */
export type Click = { painted: number; tasks: number[]; frames: Frame[] };

/** A condition: the screen's own heading and content are shown, and no placeholder is left. */
const contentOf = ({ heading, text }: MenuScreen) => `(() => {
  const main = document.querySelector("main");
  if (!main?.querySelector("h1")?.textContent.includes(${JSON.stringify(heading)})) return false;
  if (main.querySelector('[class*="skeleton"], [aria-busy="true"]') !== null) return false;
  const fields = [...main.querySelectorAll("input, textarea")].map((field) => field.value);
  return [main.textContent, ...fields].some((words) => words.includes(${JSON.stringify(text)}));
})()`;

/** Clicks a menu entry on an idle page that has not shown the screen; code prefetched while idle is present. */
export const clickThrough = (
  browser: Browser,
  baseURL: string,
  signedIn: StorageState,
  screen: MenuScreen,
): Promise<Click> => {
  const [fullSpeed] = PROFILES;
  if (!fullSpeed) throw new Error("There is no profile.");
  return inFreshContext(browser, baseURL, fullSpeed, signedIn, async ({ page, network }) => {
    await page.goto(screen.link === "Dashboard" ? "/subscribe" : "/dashboard", { waitUntil: "commit" });
    const link = page.getByRole("navigation").getByRole("link", { name: screen.link, exact: true });
    await link.waitFor();
    await network.settled();
    await page.evaluate(`{
      __bench.tasks.length = __bench.frames.length = 0;
      __bench.painted = __bench.when(() => ${contentOf(screen)}).then((end) => end - __bench.input);
      undefined;
    }`);
    await link.click();
    const painted = await inTime(screen.link, page.evaluate<number>("__bench.painted"));
    await network.settled();
    const { tasks, frames } = await page.evaluate<Seen>("__bench");
    return { painted, tasks, frames };
  });
};
