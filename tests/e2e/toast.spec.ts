import type { Page } from "@playwright/test";
import { addStages, boxOf, expect, logIn, test } from "./fixtures.ts";

/**
 * Returns the position of the toast with this text and the buttons it covers; null while there is no toast. Measured in one call, because
 * toasts disappear after seconds.
 */
function measure(text: string) {
  const status = [...document.querySelectorAll("[role=status], [aria-live=polite]")].find(
    ({ textContent }) => textContent === text,
  );
  const toast = status?.parentElement;
  if (!toast) return null;
  const { left, right, top, bottom } = toast.getBoundingClientRect();
  const buttons = [...document.querySelectorAll("main button")].map((button) => button.getBoundingClientRect());
  const covered = buttons.filter((one) => one.left < right && one.right > left && one.top < bottom && one.bottom > top);
  const color = getComputedStyle(toast).backgroundColor;
  return { color, left, right, top, buttons: buttons.length, covered: covered.map((one) => one.toJSON() as unknown) };
}

test.beforeEach(async ({ page, api, subscriber, receiveLeads }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await addStages(api, "Interested");
  await receiveLeads(["Ada", "Grace", "Edith"]);
  await logIn(page, subscriber);
});

/** Moves the topmost lead: at the top of the page the toast must not cover its row. */
async function moveFirstLead(page: Page) {
  const row = page.getByRole("row").nth(1);
  await row.getByRole("button", { name: "Edit stage", exact: true }).click();
  await row.getByRole("combobox").selectOption("Interested");
}
const move = (page: Page) => page.getByText("The lead was moved.", { exact: true });
const undo = (page: Page) => page.getByRole("button", { name: "Undo", exact: true });

test("shows a green toast at the top right that covers no button", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/leads");
  const isSeen = page.waitForFunction(measure, "Lead stage updated");
  await moveFirstLead(page);
  const toast = page.getByRole("status").getByText("Lead stage updated", { exact: true });
  const seen = await (await isSeen).jsonValue();
  if (seen === null) throw new Error("no toast is shown");
  expect(seen.color).toEqual("rgb(22, 108, 59)");
  expect(seen.right).toBeGreaterThan(1240);
  expect(seen.left).toBeGreaterThan(640);
  expect(seen.top).toBeLessThan(40);
  expect(seen.buttons).toBeGreaterThan(8);
  expect(seen.covered).toEqual([]);
  expect(await move(page).count()).toEqual(0);
  await expect(toast).toBeHidden();
  await expect(move(page)).toBeVisible();
  await expect(undo(page)).toHaveCount(1);
});

test("covers no button and not the logo with a toast at 390 px", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/leads");
  await moveFirstLead(page);
  await expect(move(page)).toBeVisible();
  const toast = await boxOf(undo(page).locator(".."));
  const mark = await boxOf(page.getByRole("banner").locator("svg").last());
  expect(toast.x).toBeGreaterThan(mark.end);
  expect((await page.evaluate(measure, "The lead was moved."))?.covered).toEqual([]);
});
