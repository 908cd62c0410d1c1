import type { Page } from "@playwright/test";
import { expect, logIn, menuLink, test } from "./fixtures.ts";

const message = (page: Page) => page.getByLabel("Message", { exact: true });
/** With a message every ten seconds, the job keeps running until it is cancelled. */
const NAMES = Array.from({ length: 12 }, (_, index) => `Lead ${index + 1}`);
const sending = (page: Page) => page.getByText(/^Sending bulk message\.\.\. [1-9]\d* of 12 leads/);

async function confirmSend(page: Page, text: string) {
  await message(page).fill(text);
  await page.getByLabel("Throttle (seconds per message)", { exact: true }).fill("10");
  await page.getByRole("button", { name: "Send Bulk Message", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "OK", exact: true }).click();
}

test("continues a bulk upload after navigation, and shows its job in every tab", async ({
  page,
  context,
  subscriber,
  sandbox,
  phone,
  receiveLeads,
}) => {
  await receiveLeads(NAMES);
  await logIn(page, subscriber);
  await page.goto("/bulk-message");
  const other = await context.newPage();
  await other.goto("/bulk-message");
  await expect(other.getByRole("button", { name: "Send Bulk Message", exact: true })).toBeVisible();

  let release = () => {};
  const isHeld = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/bulk", async (route) => {
    await isHeld;
    await route.continue();
  });
  const upload = page.waitForRequest("**/api/bulk");
  await confirmSend(page, "Left on the way");
  await upload;
  await menuLink(page, "Stats").click();
  await expect(page.getByRole("heading", { name: "Stats", exact: true })).toBeVisible();
  release();
  await expect(page.getByText("The bulk message is on its way.", { exact: true })).toBeVisible();

  await expect(sending(other)).toBeVisible();
  await menuLink(page, "Bulk Message").click();
  await expect(sending(page)).toBeVisible();
  await expect(message(page)).toHaveValue("");
  const late = await context.newPage();
  await late.goto("/bulk-message");
  await expect(sending(late)).toBeVisible();
  await late.getByRole("button", { name: "Cancel Send", exact: true }).click();
  await expect(late.getByRole("alertdialog")).toContainText("✅ Bulk job cancelled and deleted.");
  await expect(sending(other)).toBeHidden();
  await expect(sending(page)).toBeHidden();
  const sent = await sandbox.sent(phone);
  expect(new Set(sent.map(({ text }) => text))).toEqual(new Set(["Left on the way"]));
  expect(sent.length).toBeLessThan(NAMES.length);
});
