import type { Page } from "@playwright/test";
import { encode } from "uqr";
import { expect, logIn, newPhone, type Sandbox, test } from "./fixtures.ts";

const PASSWORD = "the second step";

test.beforeEach(async ({ page, subscriber }) => {
  await logIn(page, subscriber);
  await page.goto("/connect-telegram");
});

const connectedAs = (page: Page, phone: string) =>
  page.getByRole("heading", { name: `Leadloom is connected to Telegram as ${phone}`, exact: true });
const fillAndPress = async (page: Page, field: string, text: string, button: string) => {
  await page.getByLabel(field, { exact: true }).fill(text);
  await page.getByRole("button", { name: button, exact: true }).click();
};
const typeCode = async (page: Page, sandbox: Sandbox, phone: string) =>
  fillAndPress(page, "Login code", await sandbox.loginCode(phone), "Confirm Code");

/** Starts the login and returns the address in the QR code. */
async function startQr(page: Page): Promise<string> {
  await page.getByRole("tab", { name: "Use QR", exact: true }).click();
  const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/telegram/qr-start"));
  await page.getByRole("button", { name: "Start QR Login", exact: true }).click();
  const { qr_url: url } = (await (await answered).json()) as { qr_url: string };
  await expect(page.getByText("Scan this QR in your Telegram app:", { exact: true })).toBeVisible();
  await expect(page.getByText("Waiting for approval…", { exact: true })).toBeVisible();
  return url;
}

/** Returns the dark modules of the QR code on the page, and those expected for an address. */
const drawn = async (page: Page) => {
  const d = await page
    .getByRole("img", { name: /^QR code/ })
    .locator("path")
    .getAttribute("d");
  return [...(d ?? "").matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => `${x} ${y}`);
};
const modulesOf = (url: string) =>
  encode(url, { border: 4, ecc: "M" }).data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`${x} ${y}`] : [])));

test("asks for the two-step password after a login code, and again after a wrong one", async ({ page, sandbox }) => {
  const phone = newPhone();
  await sandbox.createAccount({ phone, password: PASSWORD, hint: "on the stairs" });
  await fillAndPress(page, "Phone number", phone, "Send Login Code");
  await expect(page.getByLabel("Login code", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText(`Sent to the Telegram app of ${phone}.`, { exact: true })).toBeVisible();
  await typeCode(page, sandbox, phone);
  await expect(page.getByText("Your hint: on the stairs", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText("Your hint: on the stairs", { exact: true })).toBeVisible();
  await fillAndPress(page, "Telegram password", "something else", "Confirm Password");
  await expect(page.getByText("❌ Incorrect password. Please try again.", { exact: true })).toBeVisible();
  await fillAndPress(page, "Telegram password", PASSWORD, "Confirm Password");
  await expect(connectedAs(page, phone)).toBeVisible();
});

test("asks for the two-step password after a QR scan, and again after a wrong one", async ({ page, sandbox }) => {
  const phone = newPhone();
  await sandbox.createAccount({ phone, password: PASSWORD });
  const url = await startQr(page);
  expect(await drawn(page)).toEqual(modulesOf(url));
  await sandbox.scan(phone, url);
  await expect(
    page.getByText("🔐 This account requires your Telegram password to finish login.", { exact: true }),
  ).toBeVisible();
  await expect(page.getByText("Enter your Telegram password to finish login:", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel", exact: true })).toBeVisible();
  await fillAndPress(page, "Telegram password", "something else", "Confirm Password");
  await expect(page.getByText("❌ Could not complete 2FA. Try again.", { exact: true })).toBeVisible();
  await fillAndPress(page, "Telegram password", PASSWORD, "Confirm Password");
  await expect(page.getByText("✅ Connected via QR + 2FA.", { exact: true })).toBeVisible();
  await expect(connectedAs(page, phone)).toBeVisible();
});
