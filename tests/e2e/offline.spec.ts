import type { Page, Request } from "@playwright/test";
import { expect, logIn, menuLink, test } from "./fixtures.ts";

const NAMES = Array.from({ length: 12 }, (_, index) => `Person ${index}`);
const SCREENS = [
  "Stages",
  "Follow-up Settings",
  "Reminders",
  "Snippets",
  "Bulk Message",
  "Activity",
  "Stats",
  "Settings",
];
const TITLES: Record<string, string> = { Stages: "Manage Stages", Reminders: "Reminder Rules" };

const notice = (page: Page) => page.getByText("You are offline. What you type is kept.", { exact: true });
/** Records every message about a failed load from now on, however briefly it is shown. */
const WATCH_MARKS = `window.marks = [];
  new MutationObserver(() => {
    for (const mark of document.body.innerText.match(/.*(could not be read|not read|from before|\\b0 leads\\b).*/g) ?? [])
      window.marks.push(mark);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });`;

for (const { width, height } of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])
  test(`shows one offline notice, ${width} px wide`, async ({ page, context, receiveLeads, subscriber }) => {
    await page.setViewportSize({ width, height });
    await receiveLeads(NAMES);
    await logIn(page, subscriber);
    const pending = new Set<Request>();
    page.on("request", (request) => pending.add(request));
    page.on("requestfinished", (request) => pending.delete(request));
    page.on("requestfailed", (request) => pending.delete(request));
    const follow = async (name: string) => {
      if (width < 768) await page.getByRole("button", { name: "menu", exact: true }).click();
      await menuLink(page, name).click();
      // Waits for the new screen: the old one may still be visible.
      await expect(page).toHaveTitle(`${TITLES[name] ?? name} · Leadloom`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    };
    // Loads the code of every screen.
    for (const name of SCREENS) await follow(name);
    await follow("Dashboard");

    // A request in flight could fail before the browser reports that it is offline.
    await expect.poll(() => [...pending].filter((request) => !request.url().includes("/api/events"))).toEqual([]);
    let failures = 0;
    await page.evaluate(WATCH_MARKS);
    page.on("requestfailed", () => (failures += 1));
    await context.setOffline(true);
    await expect(notice(page)).toBeVisible();
    for (const name of ["Dashboard", ...SCREENS]) {
      await follow(name);
      await expect(notice(page), name).toHaveCount(1);
    }

    await expect.poll(() => failures).toBeGreaterThan(7);
    expect(await page.evaluate("window.marks")).toEqual([]);
    for (const name of ["Leads", "Inbox"]) {
      await context.setOffline(false);
      await follow(name);
      await expect(notice(page)).toBeHidden();
      const people = page.getByText(/^Person \d+$/);
      await expect(people).toHaveCount(NAMES.length);
      await context.setOffline(true);
      await expect(notice(page)).toBeVisible();
      const box = await notice(page).boundingBox();
      const first = await people.first().boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(first?.y ?? 0);
      // People who wrote in the same second may appear in any order.
      await people.last().evaluate((last) => last.scrollIntoView({ block: "center" }));
      await expect(people.last()).toBeInViewport({ ratio: 1 });
    }
  });
