import type { Page } from "@playwright/test";
import { encode } from "uqr";
import { connectByCode, expect, logIn, menuLink, newPhone, receiveLeads, type Sandbox, test } from "./fixtures.ts";

const PASSWORD = "the second step";

test.beforeEach(async ({ page, subscriber }) => {
  await logIn(page, subscriber);
  await page.goto("/connect-telegram");
});

const connectedAs = (page: Page, phone: string) =>
  page.getByRole("heading", { name: `Leadloom is connected to Telegram as ${phone}` });
const fillAndPress = async (page: Page, field: string, text: string, button: string) => {
  await page.getByLabel(field).fill(text);
  await page.getByRole("button", { name: button }).click();
};
const typeCode = async (page: Page, sandbox: Sandbox, phone: string) =>
  fillAndPress(page, "Login code", await sandbox.loginCode(phone), "Confirm Code");

/** Starts the login and gives the address that the picture holds. */
async function startQr(page: Page): Promise<string> {
  await page.getByRole("tab", { name: "Use QR", exact: true }).click();
  const answered = page.waitForResponse((answer) => answer.url().endsWith("/api/telegram/qr-start"));
  await page.getByRole("button", { name: "Start QR Login", exact: true }).click();
  const { qr_url: url } = (await (await answered).json()) as { qr_url: string };
  await expect(page.getByText("Scan this QR in your Telegram app:")).toBeVisible();
  await expect(page.getByText("Waiting for approval…")).toBeVisible();
  return url;
}

/** The dark modules of the picture on the page, and those that a phone would need to see for an address. */
const drawn = async (page: Page) => {
  const d = await page
    .getByRole("img", { name: /^QR code/ })
    .locator("path")
    .getAttribute("d");
  return [...(d ?? "").matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => `${x} ${y}`);
};
const modulesOf = (url: string) =>
  encode(url, { border: 4, ecc: "M" }).data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`${x} ${y}`] : [])));

test("a wrong login code is refused, the right one connects, and the phone is shown", async ({
  page,
  sandbox,
  shot,
}) => {
  const phone = newPhone();
  await fillAndPress(page, "Phone number", phone, "Send Login Code");
  await expect(page.getByLabel("Login code")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Use QR", exact: true })).toBeDisabled();
  const right = await sandbox.loginCode(phone);
  await fillAndPress(page, "Login code", right === "11111" ? "22222" : "11111", "Confirm Code");
  await expect(page.getByText("❌ Invalid code or session expired.")).toBeVisible();
  await shot("wrong-code");
  await fillAndPress(page, "Login code", right, "Confirm Code");
  await expect(connectedAs(page, phone)).toBeVisible();
  await expect(page.getByText("❌ Invalid code or session expired.")).toBeHidden();
  await page.reload();
  await expect(connectedAs(page, phone)).toBeVisible();
  await menuLink(page, "Dashboard").click();
  await expect(page.getByRole("region", { name: "Telegram accounts" })).toContainText("1");
});

test("a login code for an account with a two-step password asks for it, a wrong one first", async ({
  page,
  sandbox,
  shot,
}) => {
  const phone = newPhone();
  await sandbox.createAccount({ phone, password: PASSWORD, hint: "on the stairs" });
  await fillAndPress(page, "Phone number", phone, "Send Login Code");
  await expect(page.getByLabel("Login code")).toBeVisible();
  await typeCode(page, sandbox, phone);
  await expect(page.getByText("Your hint: on the stairs")).toBeVisible();
  await fillAndPress(page, "Telegram password", "something else", "Confirm Password");
  await expect(page.getByText("❌ Incorrect password. Please try again.")).toBeVisible();
  await shot("wrong-password");
  await fillAndPress(page, "Telegram password", PASSWORD, "Confirm Password");
  await expect(connectedAs(page, phone)).toBeVisible();
});

test("a QR is scanned after it was drawn anew, and its old address no longer works", async ({
  page,
  sandbox,
  shot,
}) => {
  const phone = newPhone();
  await sandbox.createAccount({ phone });
  const first = await startQr(page);
  expect(await drawn(page)).toEqual(modulesOf(first));
  await expect(page.getByRole("tab", { name: "Use Code", exact: true })).toBeDisabled();
  await shot("qr");

  const renewed = page.waitForResponse(
    async (answer) =>
      answer.url().endsWith("/api/telegram/qr") && ((await answer.json()) as { qr_url: string }).qr_url !== first,
  );
  await sandbox.advance(31);
  const { qr_url: second } = (await (await renewed).json()) as { qr_url: string };
  await expect.poll(() => drawn(page)).toEqual(modulesOf(second));
  await expect(sandbox.scan(phone, first)).rejects.toThrow();

  await sandbox.scan(phone, second);
  await expect(page.getByText("✅ Connected via QR.")).toBeVisible();
  await expect(connectedAs(page, phone)).toBeVisible();
  await shot("connected-by-qr");
});

test("a scanned QR of an account with a two-step password asks for it, a wrong one first", async ({
  page,
  sandbox,
  shot,
}) => {
  const phone = newPhone();
  await sandbox.createAccount({ phone, password: PASSWORD });
  await sandbox.scan(phone, await startQr(page));
  await expect(page.getByText("🔐 This account requires your Telegram password to finish login.")).toBeVisible();
  await expect(page.getByText("Enter your Telegram password to finish login:")).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel", exact: true })).toBeVisible();
  await fillAndPress(page, "Telegram password", "something else", "Confirm Password");
  await expect(page.getByText("❌ Could not complete 2FA. Try again.")).toBeVisible();
  await shot("qr-password");
  await fillAndPress(page, "Telegram password", PASSWORD, "Confirm Password");
  await expect(page.getByText("✅ Connected via QR + 2FA.")).toBeVisible();
  await expect(connectedAs(page, phone)).toBeVisible();
});

test("a QR that nobody scans expires after two minutes, and the next one works", async ({ page, sandbox, shot }) => {
  const phone = newPhone();
  await sandbox.createAccount({ phone });
  const waiting = page.waitForRequest((request) => request.url().endsWith("/api/telegram/qr-complete"));
  await startQr(page);
  await waiting;
  // Its two minutes begin when the call reaches the server, a moment after it left the page; after five the login itself is over.
  await expect(async () => {
    await sandbox.advance(121);
    await expect(page.getByText("⏰ QR code expired. Please try again.")).toBeVisible({ timeout: 15_000 });
  }).toPass();
  await expect(page.getByRole("img", { name: /^QR code/ })).toBeHidden();
  await shot("qr-expired");
  await sandbox.scan(phone, await startQr(page));
  await expect(page.getByText("✅ Connected via QR.")).toBeVisible();
});

test("a cancelled QR can no longer be scanned, and both ways in are open again", async ({ page, sandbox, shot }) => {
  const phone = newPhone();
  await sandbox.createAccount({ phone });
  const url = await startQr(page);
  const cancelled = page.waitForResponse((answer) => answer.url().endsWith("/api/telegram/qr-cancel"));
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  expect((await cancelled).ok()).toBe(true);
  await expect(page.getByRole("button", { name: "Start QR Login", exact: true })).toBeEnabled();
  await expect(page.getByRole("img", { name: /^QR code/ })).toBeHidden();
  await shot("qr-cancelled");
  await sandbox.scan(phone, url).catch(() => {});
  expect(await sandbox.call("GET", `/telegram/accounts/${encodeURIComponent(phone)}`)).toMatchObject({ sessions: [] });
  await page.getByRole("tab", { name: "Use Code", exact: true }).click();
  await expect(page.getByRole("button", { name: "Send Login Code", exact: true })).toBeEnabled();
});

test("disconnecting ends the session at Telegram", async ({ page, sandbox, shot }) => {
  const phone = newPhone();
  await connectByCode(page, sandbox, phone);
  await page.getByRole("button", { name: "Disconnect", exact: true }).click();
  await expect(page.getByText("🔌 Disconnected from Telegram.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send Login Code", exact: true })).toBeVisible();
  await shot("disconnected");
  await expect
    .poll(() => sandbox.call("GET", `/telegram/accounts/${encodeURIComponent(phone)}`))
    .toMatchObject({ sessions: [] });
  await page.reload();
  await expect(page.getByRole("button", { name: "Send Login Code", exact: true })).toBeVisible();
});

test("a session ended on the phone is seen without a reload, and connecting again goes on", async ({
  page,
  sandbox,
  shot,
}) => {
  const phone = newPhone();
  await connectByCode(page, sandbox, phone);
  await expect(page.getByRole("heading", { name: "Account health", exact: true })).toBeVisible();
  await page.reload();
  await expect(connectedAs(page, phone)).toBeVisible();
  await sandbox.revoke(phone);
  await expect(page.getByText("⚠️ Telegram ended this connection. Connect again to go on.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send Login Code", exact: true })).toBeVisible();
  await shot("revoked");
  await connectByCode(page, sandbox, phone);
});

test("the account's health shows a wait that Telegram asks for, and that it is over", async ({
  page,
  sandbox,
  api,
  shot,
}) => {
  const phone = newPhone();
  await connectByCode(page, sandbox, phone);
  const health = page.getByRole("region", { name: "Account health" });
  await expect(health).toContainText("Healthy");
  await receiveLeads(api, sandbox, phone, ["Grace"]);
  await sandbox.fault(phone, { method: "messages.sendMessage", error: "FLOOD_WAIT_300" });
  const form = { message: "Good morning", stage_id: "", throttle: "0.1" };
  await api.call("POST", "/bulk", undefined, form);
  await expect(health.getByText(/^Paused until /)).toContainText("Telegram");
  await expect(health.getByText("Paused", { exact: true })).toBeVisible();
  await shot("flood-pause");
  await sandbox.advance(301);
  await expect.poll(() => sandbox.sent(phone)).toMatchObject([{ text: "Good morning" }]);
  await expect(health).toContainText("Healthy");
});

test("a lost session is told on every screen until the account is connected again", async ({ page, sandbox, shot }) => {
  const phone = newPhone();
  await connectByCode(page, sandbox, phone);
  await sandbox.revoke(phone);
  const banner = page.getByText(/^Telegram disconnected on .+\. Messages are not arriving\.$/);
  for (const name of ["Leads", "Stats", "Dashboard"]) {
    await menuLink(page, name).click();
    await expect(banner).toBeVisible();
  }
  await expect(page.getByRole("region", { name: "Telegram accounts" })).toContainText("0");
  await expect(page.getByText("Connect your Telegram account")).toHaveCount(0);
  await shot("lost-session");
  await page.reload();
  await page.getByRole("link", { name: "Reconnect", exact: true }).click();
  await expect(page.getByLabel("Phone number")).toHaveValue(phone);
  await page.getByRole("button", { name: "Send Login Code", exact: true }).click();
  await expect(page.getByLabel("Login code")).toBeVisible();
  await typeCode(page, sandbox, phone);
  await expect(connectedAs(page, phone)).toBeVisible();
  await expect(banner).toHaveCount(0);
});
