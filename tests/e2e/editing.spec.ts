import type { Page } from "@playwright/test";
import { expect, logIn, menuLink, test } from "./fixtures.ts";

test.beforeEach(async ({ page, subscriber }) => logIn(page, subscriber));

const QUESTION = "You have unsaved changes. Leave without saving them?";
const question = (page: Page) => page.getByRole("alertdialog", { name: QUESTION });
const stage = { name: "Interested", keywords: ["price"], order: 2, color: "#0b6e5f" };

test("edited stages ask before they are left by a link, by Back and by a reload", async ({ page, api }) => {
  await api.call("POST", "/stages", stage);
  await page.goto("/leads");
  await menuLink(page, "Stages").click();
  const name = page.getByRole("textbox", { name: "Name", exact: true }).last();
  await expect(name).toHaveValue("Interested");
  await name.fill("Curious");

  await menuLink(page, "Stats").click();
  await question(page).getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(page).toHaveURL(/\/stages$/);
  await expect(name).toHaveValue("Curious");

  await page.goBack();
  await expect(page).toHaveURL(/\/stages$/);
  await question(page).getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(name).toHaveValue("Curious");

  const asked = page.waitForEvent("dialog");
  const reloaded = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reloaded;
  // Over a reload it is kept all the same; whoever leaves without it does.
  await expect(name).toHaveValue("Curious");

  await page.goBack();
  await question(page).getByRole("button", { name: "OK", exact: true }).click();
  await expect(page).toHaveURL(/\/leads$/);
  await menuLink(page, "Stages").click();
  await expect(name).toHaveValue("Interested");
});
