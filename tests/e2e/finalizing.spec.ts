import { expect, logIn, test } from "./fixtures.ts";

test("finalizes within 8 seconds", async ({ page, subscriber }) => {
  await logIn(page, subscriber);
  await page.route("**/api/billing/**", () => undefined);
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 60_000);
  const confirming = page.waitForRequest("**/api/billing/confirm");
  await page.goto("/billing/success?session_id=cs_test_1");
  await confirming;
  const synchronizing = page.waitForRequest("**/api/billing/sync");
  await page.clock.runFor(5_000);
  await synchronizing;
  await page.clock.runFor(2_000);
  await expect(page.getByText("This will only take a moment.", { exact: true })).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(page).toHaveURL(/\/subscribe\?from=checkout$/);
});
