import type { Page } from "@playwright/test";
import { expect, logIn, menuLink, test } from "./fixtures.ts";

const STATS = /\/assets\/stats-[^/]*\.js$/;
const updated = (page: Page) =>
  page
    .getByRole("status")
    .getByText("Leadloom was updated, so the page was reloaded. What you typed was kept.", { exact: true });

/** Counts how often the page itself is loaded from now on. */
function countLoads(page: Page) {
  let loads = 0;
  page.on("request", (request) => (loads += request.isNavigationRequest() ? 1 : 0));
  return () => loads;
}

test.beforeEach(async ({ page, subscriber }) => {
  // With save-data, the code of other screens loads only on request.
  await page.addInitScript(
    "Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })",
  );
  await logIn(page, subscriber);
  await menuLink(page, "Bulk Message").click();
  await expect(page.getByRole("heading", { name: "Bulk Message Sender", exact: true })).toBeVisible();
});

test("reloads a page once when a deploy removed a file it needs, and says so", async ({ page }) => {
  const loads = countLoads(page);
  let isDeployed = false;
  page.on("framenavigated", () => (isDeployed ||= loads() > 0));
  await page.route(STATS, (route) => (isDeployed ? route.continue() : route.fulfill({ status: 404, body: "" })));
  await menuLink(page, "Stats").hover();
  await page.getByLabel("Message", { exact: true }).fill("Half a sentence");
  expect(loads()).toBe(0);
  await menuLink(page, "Stats").click();
  await expect(updated(page)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Stats", exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/stats$/);
  expect(loads()).toBe(1);
  await menuLink(page, "Bulk Message").click();
  await expect(page.getByRole("heading", { name: "Bulk Message Sender", exact: true })).toBeVisible();
  await expect(updated(page)).toBeHidden();
});

test("reports a file that is still missing after the reload, without another reload", async ({ page }) => {
  const loads = countLoads(page);
  await page.route(STATS, (route) => route.fulfill({ status: 404, body: "" }));
  await menuLink(page, "Stats").click();
  await expect(page.getByRole("heading", { name: "This page did not load", exact: true })).toBeVisible();
  await expect(
    page.getByText("A part of it is missing on the server. Try again in a minute.", { exact: true }),
  ).toBeVisible();
  expect(loads()).toBe(1);
  await page.unroute(STATS);
  await page.getByRole("button", { name: "Try again", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Stats", exact: true })).toBeVisible();
});

test("keeps the page and offers a retry when offline", async ({ page, context }) => {
  const loads = countLoads(page);
  // Other requests may fail too and show their own retry button.
  const tryAgain = page.locator("div:has(> [role=alert] h1)").getByRole("button", { name: "Try again", exact: true });
  await context.setOffline(true);
  await menuLink(page, "Stats").click();
  await expect(page.getByText("Check your connection and try again.", { exact: true })).toBeVisible();
  await tryAgain.click();
  await expect(page.getByText("Check your connection and try again.", { exact: true })).toBeVisible();
  expect(loads()).toBe(0);
  await context.setOffline(false);
  await tryAgain.click();
  await expect(page.getByRole("heading", { name: "Stats", exact: true })).toBeVisible();
  await expect(updated(page)).toBeHidden();
});
