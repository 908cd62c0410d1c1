import { expect, test } from "./fixtures.ts";
import { HeldNetwork, startSignedIn } from "./network.ts";

const held = { "POST /api/billing/confirm": "confirmCheckout", "POST /api/billing/sync": "syncSubscription" };

test.beforeEach(({ page }) => startSignedIn(page));

test("opens the billing screen after a paid checkout when both calls respond", async ({ page }) => {
  const network = await HeldNetwork.of(page, held);
  await page.goto("/billing/success?session_id=cs_test_1");
  await network.settle("confirmCheckout", { json: { status: "active" } });
  await expect(page.getByText("This will only take a moment.", { exact: true })).toBeVisible();
  await network.settle("syncSubscription", { json: { status: "active" } });
  await expect(page).toHaveURL(/\/subscribe\?from=checkout$/);
});

test("finalizes within 8 seconds", async ({ page }) => {
  const network = await HeldNetwork.of(page, held);
  await page.goto("/billing/success?session_id=cs_test_1");
  await network.called("confirmCheckout");
  await page.clock.runFor(5_000);
  await network.called("syncSubscription");
  await page.clock.runFor(2_000);
  await expect(page.getByText("This will only take a moment.", { exact: true })).toBeVisible();
  await page.clock.runFor(1_000);
  await expect(page).toHaveURL(/\/subscribe\?from=checkout$/);
});
