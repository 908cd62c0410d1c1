import type { Browser, Page } from "@playwright/test";
import { expect, logIn, menuLink, test } from "./fixtures.ts";

/** Opens a page with only the session stored. `requested` returns the requested paths without the hash in file names. */
async function coldPage(browser: Browser, page: Page, subscriber: Parameters<typeof logIn>[1]) {
  await page.goto("/login");
  await logIn(page, subscriber);
  const storageState = await page.context().storageState();
  const cold = await browser.newContext({ storageState, baseURL: new URL(page.url()).origin });
  const visit = await cold.newPage();
  const all: string[] = [];
  visit.on("request", (request) => all.push(new URL(request.url()).pathname.replace(/-[\w-]{8}(\.\w+)$/, "$1")));
  // The event stream triggers refreshes, so requests after it are left out.
  const requested = () => {
    const stream = all.indexOf("/api/events");
    return all.slice(0, stream < 0 ? all.length : stream);
  };
  return { cold, visit, requested };
}

test("requests everything for the leads list at once on a cold visit", async ({ page, subscriber, browser }) => {
  const { cold, visit, requested: requestedPaths } = await coldPage(browser, page, subscriber);
  await visit.goto("/leads");
  await expect(visit.getByText("No leads found for selected filters.", { exact: true })).toBeVisible();
  const paths = requestedPaths().filter((path) => !/favicon/.test(path));
  const data = ["/rest/v1/subscriptions", "/api/leads", "/api/stages", "/api/followups"];
  const code = ["boot.js", "rolldown-runtime.js", "base.js", "base.css", "app.js"].map((name) => `/assets/${name}`);
  expect(paths.toSorted()).toEqual(["/leads", ...code, ...data].toSorted());
  expect(paths.filter((path) => data.includes(path))).toHaveLength(data.length);
  // The first script requests the data, before the code that shows it is loaded.
  expect(paths.indexOf("/api/leads")).toBeLessThan(paths.indexOf("/assets/app.js"));
  await cold.close();
});

test("requests a conversation's messages before its code on a cold visit", async ({ page, subscriber, browser }) => {
  const { cold, visit, requested: requestedPaths } = await coldPage(browser, page, subscriber);
  const lead = "/leads/01234567-89ab-4cde-8f01-23456789abcd";
  await visit.goto(lead);
  await expect(visit.getByText("There is no such lead", { exact: true })).toBeVisible();
  const paths = requestedPaths();
  const messages = `/api${lead}/messages`;
  expect(paths.filter((path) => path === messages)).toHaveLength(1);
  for (const path of [messages, `/api${lead}`])
    expect(paths.indexOf(path)).toBeLessThan(paths.indexOf("/assets/inbox.js"));
  await cold.close();
});

test("sends each request of a loaded screen once, despite prefetching", async ({ page, subscriber }) => {
  const requested: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    requested.push(/^\/api\/(events|inbox\/counts|views|settings)/.test(pathname) ? "" : pathname + search);
  });
  await logIn(page, subscriber);
  // The last screen whose code is prefetched.
  await expect.poll(() => requested.some((address) => address.startsWith("/assets/board-"))).toBe(true);
  const screens = [
    { link: "Leads", reads: ["/api/leads", "/api/stages", "/api/followups"] },
    { link: "Stages", reads: ["/api/stages"] },
    { link: "Follow-up Settings", reads: ["/api/followups", "/api/stages", "/api/user_settings"] },
    { link: "Reminders", reads: ["/api/reminders", "/api/stages"] },
    { link: "Snippets", reads: ["/api/snippets"] },
    { link: "Stats", reads: ["/api/stages", "/api/stats/volume", "/api/stats/funnel", "/api/followups/results"] },
    { link: "Connect Telegram", reads: ["/api/telegram/status"] },
  ];
  for (const { link, reads } of screens) {
    requested.length = 0;
    await menuLink(page, link).click();
    await expect(page.getByRole("main").locator("h1")).toBeVisible();
    const seen = () => requested.filter((address) => address.startsWith("/api/"));
    const paths = () => seen().map((address) => address.replace(/\?.*/, ""));
    await expect.poll(paths).toEqual(expect.arrayContaining(reads));
    await expect(page.getByRole("main").locator("[class*=skeleton], [aria-busy=true]")).toHaveCount(0);
    expect(seen()).toEqual([...new Set(seen())]);
  }
});
