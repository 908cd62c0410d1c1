import type { Page } from "@playwright/test";
import { expect, logIn, test } from "./fixtures.ts";

const dialog = (page: Page) => page.getByRole("alertdialog");
const throttle = (page: Page) => page.getByLabel("Throttle (seconds per message)", { exact: true });
const progress = (page: Page) => page.getByRole("progressbar", { name: "Bulk message progress", exact: true });

/** Fills in the message and presses Send, up to the confirmation. */
async function compose(page: Page, message: string, seconds = "0.1") {
  await page.getByLabel("Message", { exact: true }).fill(message);
  await throttle(page).fill(seconds);
  await page.getByRole("button", { name: "Send Bulk Message", exact: true }).click();
}
const answer = (page: Page, name: "OK" | "Cancel") => dialog(page).getByRole("button", { name, exact: true }).click();

/** With a message every ten seconds, the job runs long enough for the slowest machine to check it. */
const MANY = Array.from({ length: 6 }, (_, index) => `Lead ${index + 1}`);
const sending = (page: Page) => page.getByText(/^Sending bulk message\.\.\. [1-9]\d* of 6 leads/);

/** The Telegram ids of the leads to whom a bulk message is being sent. */
let ids: number[] = [];
test.beforeEach(async ({ page, subscriber, receiveLeads }) => {
  ids = await receiveLeads(MANY);
  await logIn(page, subscriber);
  await page.goto("/bulk-message");
  await compose(page, "One by one", "10");
  await answer(page, "OK");
  await expect(sending(page)).toBeVisible();
});

test("stops a cancelled send at once, and refuses a second one during it", async ({ page, sandbox, phone }) => {
  await compose(page, "And another");
  await expect(dialog(page)).toContainText("A bulk message is already being sent. Please wait until it finishes.");
  await answer(page, "OK");
  await page.getByRole("button", { name: "Cancel Send", exact: true }).click();
  await expect(dialog(page)).toContainText("✅ Bulk job cancelled and deleted.");
  const texts = async () => (await sandbox.sent(phone)).map(({ text }) => text);
  const before = await texts();
  expect(before.length).toBeLessThan(ids.length);
  await answer(page, "OK");
  await expect(progress(page)).toBeHidden();
  await sandbox.advance(60);
  await compose(page, "A new start");
  await answer(page, "OK");
  await expect(page.getByText(/^✅ Bulk message sent to 6 leads/)).toBeVisible();
  expect(await texts()).toEqual([...before, ...ids.map(() => "A new start")]);
});

test("continues a send after a server crash, and reaches each lead once", async ({ page, sandbox, phone, product }) => {
  await product.kill();
  const unread = page.getByText("The progress could not be read. The server may still be sending.", { exact: true });
  await expect(unread).toBeVisible();
  await product.start();
  await page.getByRole("button", { name: "Check again", exact: true }).click();
  await expect(unread).toBeHidden();
  // Moves the clock from message to message until the page reports that all were sent.
  await expect(async () => {
    await sandbox.advance(12);
    const result = page.getByText(/^✅ Bulk message sent to 6 leads and skipped 0/);
    await expect(result).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const reached = (await sandbox.sent(phone)).map(({ to_user_id: id }) => id);
  expect(reached.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
});
