import type { Page } from "@playwright/test";
import { expect, logIn, standStill, test } from "./fixtures.ts";

/** Breaks the calls to the paths at the network's edge, until the returned way to mend them is taken. */
async function breakOff(page: Page, path: RegExp, how: "abort" | "500") {
  await page.route(path, (route) =>
    how === "abort"
      ? route.abort("connectionrefused")
      : route.fulfill({ status: 500, json: { message: "Away.", code: "internal" } }),
  );
  return () => page.unroute(path);
}

for (const how of ["abort", "500"] as const)
  test(`a payer whose subscription lookup fails (${how}) keeps the address, and it opens after another try`, async ({
    page,
    subscriber,
    shot,
  }) => {
    await logIn(page, subscriber);
    const mend = await breakOff(page, /\/rest\/v1\/subscriptions/, how);
    await page.goto("/stages?from=mail#top");
    await expect(page.getByRole("heading", { name: "Your subscription could not be checked" })).toBeVisible();
    await expect(page.getByText("Subscription Required")).toHaveCount(0);
    await expect(page).toHaveURL(/\/stages\?from=mail#top$/);
    await shot("unchecked");
    await mend();
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Manage Stages" })).toBeVisible();
    await expect(page).toHaveURL(/\/stages\?from=mail#top$/);
  });

test("a payer whose subscription lookup is slow gets in when it is answered after all", async ({
  page,
  subscriber,
}) => {
  await logIn(page, subscriber);
  const gate = Promise.withResolvers<void>();
  await page.route(/\/rest\/v1\/subscriptions/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.clock.install();
  await standStill(page);
  await page.goto("/leads");
  // It is said a moment later.
  await expect(async () => {
    await page.clock.runFor(200);
    await expect(page.getByText("Checking subscription...")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.clock.runFor(5_000);
  await page.clock.resume();
  await expect(page.getByRole("heading", { name: "Your subscription could not be checked" })).toBeVisible();
  gate.resolve();
  await expect(page.getByRole("heading", { name: "Leads", level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/leads$/);
});

test("the dashboard marks each figure that was not read, says nothing of it, and reads it on demand", async ({
  page,
  subscriber,
  api,
  shot,
}) => {
  await api.call("PATCH", "/settings", { setup_dismissed: true });
  await logIn(page, subscriber);
  const mend = await breakOff(page, /\/rest\/v1\/(leads|stages|telegram_sessions)/, "500");
  await page.goto("/dashboard");
  const card = (name: string) => page.getByRole("region", { name });
  for (const name of ["Last lead received", "Leads (7d)", "Active stages", "Telegram accounts"])
    await expect(card(name).getByText("not read", { exact: true })).toBeVisible();
  await expect(card("Last lead received").getByText("None yet")).toBeVisible();
  await expect(card("Active stages").getByText("0", { exact: true })).toBeVisible();
  await expect(page.getByText("Connect your Telegram account")).toHaveCount(0);
  await shot("dashboard-not-read");
  await page.setViewportSize({ width: 390, height: 844 });
  await shot("dashboard-not-read-narrow");
  await mend();
  await page.getByRole("button", { name: "Try again: the number of stages" }).click();
  await expect(card("Active stages").getByText("not read")).toHaveCount(0);
  await expect(card("Leads (7d)").getByText("not read")).toBeVisible();
  await page.getByRole("button", { name: "Try again: the number of Telegram accounts" }).click();
  await expect(page.getByText("Connect your Telegram account")).toBeVisible();
});
