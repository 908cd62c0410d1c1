import type { Page } from "@playwright/test";
import { expect, logIn, menuLink, test } from "./fixtures.ts";

test.beforeEach(async ({ page, subscriber }) => logIn(page, subscriber));

const QUESTION = "You have unsaved changes. Leave without saving them?";
const question = (page: Page) => page.getByRole("alertdialog", { name: QUESTION, exact: true });
const stage = { name: "Interested", keywords: ["price"], order: 2, color: "#0b6e5f" };

test("asks before edited stages are left, and keeps the history, also after a reload", async ({ page, api }) => {
  await api.call("POST", "/stages", stage);
  await page.goto("/leads");
  for (const screen of ["Stages", "Stats"]) await menuLink(page, screen).click();
  await expect(page).toHaveURL(/\/stats/);
  await page.goBack();
  const name = page.getByRole("textbox", { name: "Name", exact: true }).last();
  await expect(name).toHaveValue("Interested");
  await name.fill("Curious");
  const answer = (button: "OK" | "Cancel") => question(page).getByRole("button", { name: button, exact: true }).click();

  await menuLink(page, "Leads").click();
  await answer("Cancel");
  await expect(name).toHaveValue("Curious");

  await page.goForward();
  await answer("Cancel");
  await expect(page).toHaveURL(/\/stages$/);
  await expect(name).toHaveValue("Curious");

  const dialogEvent = page.waitForEvent("dialog");
  const reloaded = page.reload();
  const dialog = await dialogEvent;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reloaded;
  // A reload keeps the draft even without saving; leaving the screen discards it.
  await expect(name).toHaveValue("Curious");

  await page.goBack();
  await answer("Cancel");
  await expect(page).toHaveURL(/\/stages$/);
  await expect(name).toHaveValue("Curious");

  await page.goBack();
  await answer("OK");
  await expect(page).toHaveURL(/\/leads$/);
  await page.goForward();
  await expect(name).toHaveValue("Interested");
  await page.goForward();
  await expect(page).toHaveURL(/\/stats/);
});

test("keeps both names when two tabs rename a stage, until the user chooses", async ({ page, context, api }) => {
  // The first request returns the stage that every account starts with.
  const [first] = await api.call<{ id: string }[]>("GET", "/stages");
  await api.call("POST", "/stages", stage);
  const nameIn = (tab: Page) => tab.getByRole("textbox", { name: "Name", exact: true }).last();
  const save = (tab: Page) => tab.getByRole("button", { name: "Save Changes", exact: true }).click();
  const ok = (tab: Page) => tab.getByRole("alertdialog").getByRole("button", { name: "OK", exact: true }).click();
  await api.call("PATCH", `/stages/${first?.id}`, { ...stage, name: "First", keywords: ["hello"], order: 1 });
  await page.goto("/stages");
  const other = await context.newPage();
  await other.goto("/stages");
  await nameIn(page).fill("Mine");
  await nameIn(other).fill("Theirs");
  await save(other);
  await ok(other);

  await save(page);
  await ok(page);
  await expect(nameIn(page)).toHaveValue("Mine");
  await expect(page.getByText("The saved version has name “Theirs”.", { exact: false })).toBeVisible();
  const named = async () => (await api.call<{ name: string }[]>("GET", "/stages")).map(({ name }) => name);
  expect(await named()).toEqual(["First", "Theirs"]);

  await page.getByRole("button", { name: "Keep mine", exact: true }).click();
  await save(page);
  await ok(page);
  await expect.poll(named).toEqual(["First", "Mine"]);
});
