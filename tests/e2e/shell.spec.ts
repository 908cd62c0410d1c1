import { boxOf, expect, logIn, menuLink, test } from "./fixtures.ts";

for (const { width, height } of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])
  test(`centers the shortcuts dialog and the palette on the inbox, ${width} px wide`, async ({ page, subscriber }) => {
    await page.setViewportSize({ width, height });
    await logIn(page, subscriber);
    await page.goto("/inbox");
    const keys = page.getByRole("button", { name: "Keyboard shortcuts", exact: true });
    await keys.click();
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts", exact: true });
    await expect(sheet).toBeVisible();
    const middle = async () => {
      const box = await page.locator("dialog[open]").boundingBox();
      if (box === null) throw new Error("no dialog is open");
      return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round);
    };
    expect(await middle()).toEqual([width / 2, height / 2]);
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
    await page.keyboard.press("Control+k");
    await expect(page.locator("dialog[open]")).toBeVisible();
    expect((await middle())[0]).toEqual(width / 2);
  });

test("does not shift the menu when its counts and views load", async ({ page, api, receiveLeads, subscriber }) => {
  await receiveLeads(["Ann", "Ben"]);
  for (const name of ["Hot", "Cold"])
    await api.call("POST", "/views", { name, kind: "list", query: `name=${name}`, columns: [] });
  await logIn(page, subscriber);
  await page.goto("/stats");
  const views = page.getByRole("list", { name: "Views", exact: true });
  await expect(views).toBeVisible();
  const places = () =>
    page
      .getByRole("navigation", { name: "Main", exact: true })
      .locator("li a:not([class*=view])")
      .evaluateAll((links) => links.map((link) => JSON.stringify(link.getBoundingClientRect())));
  await page.route("**/api/{views,inbox/counts}", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await route.continue();
  });
  await page.reload();
  await expect(menuLink(page, "Settings")).toBeVisible();
  const before = await places();
  expect(before.length).toBeGreaterThan(10);
  await expect(views).toBeHidden();
  await expect(views).toBeVisible();
  await expect(menuLink(page, "Inbox")).toContainText("2");
  expect(await places()).toEqual(before);
});

test("keeps Logout in view on a phone, and the focused item of the menu above it", async ({ page, subscriber }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await logIn(page, subscriber);
  await page.getByRole("button", { name: /menu/i }).click();
  const logout = page.getByRole("button", { name: "Logout", exact: true });
  await expect(logout).toBeInViewport({ ratio: 1 });
  await menuLink(page, "Billing").focus();
  const themes = page.getByRole("group", { name: "Theme", exact: true });
  expect((await boxOf(menuLink(page, "Billing"))).y).toBeLessThan((await boxOf(themes)).y - 36);
});
