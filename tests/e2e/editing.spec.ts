import type { Page } from "@playwright/test";
import { expect, logIn, menuLink, test } from "./fixtures.ts";
import { PNG } from "../support/files.ts";

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

test("a save that is left in the middle finishes, and says so on the next screen", async ({ page, api }) => {
  await api.call("POST", "/stages", stage);
  await page.goto("/stages");
  const name = page.getByRole("textbox", { name: "Name", exact: true }).last();
  await expect(name).toHaveValue("Interested");
  let [isHeld, go] = [false, () => {}];
  const gate = new Promise<void>((resolve) => (go = resolve));
  await page.route(/\/api\/stages\//, async (route) => {
    isHeld = true;
    await gate;
    await route.continue();
  });
  await name.fill("Curious");
  await page.getByRole("textbox", { name: "Keywords", exact: true }).first().fill("hello");
  await page.getByRole("button", { name: "Save Changes", exact: true }).click();
  await expect.poll(() => isHeld).toBe(true);
  await menuLink(page, "Stats").click();
  await expect(page).toHaveURL(/\/stats$/);
  go();
  await expect(page.getByText("✅ Stages saved")).toBeVisible();
  const names = (await api.call<{ name: string }[]>("GET", "/stages")).map((saved) => saved.name);
  expect(names).toContain("Curious");
});

test("a deleted follow-up comes back by Undo with its picture and its place", async ({ page, api }) => {
  const { id: stageId } = await api.call<{ id: string }>("POST", "/stages", stage);
  for (const message of ["First", "Second", "Third"]) {
    const media = { name: "photo.png", mimeType: "image/png", buffer: PNG };
    const picture = message === "Second" ? { media } : {};
    await api.call("POST", "/followups", undefined, {
      stage_id: stageId,
      message,
      delay_hours: 24,
      ...picture,
    } as unknown as Record<string, string>);
  }
  await page.goto("/followups");
  const group = page.getByRole("region", { name: "Interested", exact: true });
  const texts = () =>
    group
      .getByRole("textbox", { name: "Message", exact: true })
      .evaluateAll((boxes) => boxes.map((box) => (box as unknown as { value: string }).value));
  await expect(group.getByRole("img")).toBeVisible();
  await group.getByRole("button", { name: "Delete", exact: true }).nth(1).click();
  await expect(page.getByText("Follow-up deleted successfully.")).toBeVisible();
  await expect.poll(texts).toEqual(["First", "Third"]);
  await expect(group.getByRole("button", { name: "Delete", exact: true }).nth(1)).toBeFocused();
  await menuLink(page, "Stats").click();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Follow-up restored.")).toBeVisible();
  await menuLink(page, "Follow-up Settings").click();
  await expect.poll(texts).toEqual(["First", "Second", "Third"]);
  await expect(group.getByRole("img")).toBeVisible();
});

test("a deleted reminder comes back by Undo, and what was typed into its form is there after a reload", async ({
  page,
  api,
}) => {
  await api.call("POST", "/stages", stage);
  const rule = { type: "stuck", stage: "Interested", delay_days: 3, channel_id: "@team", template: "{name}" };
  await api.call("POST", "/reminders", rule);
  await page.goto("/reminders");
  await page.getByLabel("Channel ID").fill("@my_team");
  await page.getByRole("listitem").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("No reminders yet")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("list").getByText("3 days")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Channel ID")).toHaveValue("@my_team");
});
