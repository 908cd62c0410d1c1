import type { Page } from "@playwright/test";
import { COMMANDS } from "../../src/commands/commands.ts";
import { expect, logIn, test } from "./fixtures.ts";
import { answer, at, buttons, addDeletables, toViews } from "./gestures.ts";

/** How to reach the delete buttons of one kind of item, and which of them to press. */
type Deletion = { open: (page: Page) => Promise<unknown>; name: string | RegExp; index?: number; asks?: boolean };
const DELETIONS: Record<string, Deletion> = {
  "a stage": { open: at("/stages"), name: "Delete Stage", index: 1, asks: true },
  "a follow-up": { open: at("/followups"), name: "Delete" },
  "a reminder": { open: at("/reminders"), name: "Delete" },
  "a snippet": { open: at("/snippets"), name: /^Delete Snippet/, asks: true },
  "a view": { open: toViews, name: /^Delete View/ },
  "a tag": { open: at("/settings#people"), name: /^Delete Tag/ },
  "a field": { open: at("/settings#people"), name: /^Delete Field/ },
  "a key": { open: at("/settings#keys"), name: /^Revoke/, asks: true },
  "a webhook": { open: at("/settings#webhooks"), name: /^Delete https/, asks: true },
};

test("moves the focus to a neighbour after every deletion by keyboard", async ({ page, api, subscriber }) => {
  await addDeletables(api);
  await logIn(page, subscriber);
  for (const [what, { open, name, index = 0, asks = false }] of Object.entries(DELETIONS))
    await test.step(what, async () => {
      await open(page);
      const all = buttons(page, name);
      await expect(all.nth(index + 1)).toBeEnabled();
      const before = await all.count();
      await all.nth(index).press("Enter");
      if (asks) await answer(page);
      await expect(all).toHaveCount(before - 1);
      await expect(all.nth(index)).toBeFocused();
    });
});

test.describe("help texts", () => {
  const explanation = "Leads always go into the first stage, regardless of its keywords.";
  const help = (page: Page) => page.getByRole("columnheader", { name: "Order", exact: true }).getByRole("button");

  test("open by keyboard, close with Escape, and are named after their column", async ({ page, subscriber }) => {
    await logIn(page, subscriber);
    await page.goto("/stages");
    await expect(help(page)).toHaveAccessibleName("Help: Order");
    await page.getByRole("button", { name: "Save Changes", exact: true }).focus();
    await page.keyboard.press("Tab");
    await expect(help(page)).toBeFocused();
    await expect(page.getByRole("tooltip")).toHaveText(explanation);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("tooltip")).toHaveCount(0);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("tooltip")).toHaveText(explanation);
  });

  test.describe("by touch", () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 1024, height: 800 } });

    test("open with a tap, and close with another tap or one elsewhere", async ({ page, subscriber }) => {
      await logIn(page, subscriber);
      await page.goto("/stages");
      await help(page).tap();
      await expect(page.getByRole("tooltip")).toHaveText(explanation);
      await help(page).tap();
      await expect(page.getByRole("tooltip")).toHaveCount(0);
      await help(page).tap();
      await page.getByRole("heading", { name: "Manage Stages", exact: true }).tap();
      await expect(page.getByRole("tooltip")).toHaveCount(0);
    });
  });
});

test("leads from every palette command to a control on its screen", async ({ page, subscriber }) => {
  await logIn(page, subscriber);
  for (const command of COMMANDS)
    if (command.kind === "control")
      await test.step(command.id, async () => {
        await page.goto(command.path);
        const control = page.getByRole("main").locator(`[data-command="${command.control}"]`);
        await expect(control.first()).toBeVisible();
      });
});
