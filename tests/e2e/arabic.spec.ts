import fs from "node:fs";
import path from "node:path";
import type { Locator, Page } from "@playwright/test";
import { type Api, connectAccount, expect, graveFaults, type Sandbox, test } from "./fixtures.ts";

const catalogues = ["visitor", "app", "inside"].map((part) =>
  fs.readFileSync(path.join(import.meta.dirname, `../../locales/ar/${part}.po`), "utf8"),
);

/** Returns the Arabic translation of an English text. */
function arabic(text: string): string {
  for (const catalogue of catalogues) {
    const [, translation] = catalogue.split(`\nmsgid "${text}"\nmsgstr "`);
    if (translation !== undefined) return translation.slice(0, translation.indexOf('"\n'));
  }
  throw new Error(`The Arabic catalogues lack ${text}`);
}

const INTERESTED = { name: "مهتم", keywords: ["سعر"], order: 2, color: "#0b6e5f" };
const QUESTION = "Hello, I have read everything on your page and would like to know how long the programme takes.";

/** Adds one lead in each of two stages; the lead in the first stage wrote a long English text. */
async function furnish(api: Api, sandbox: Sandbox): Promise<string> {
  const phone = await connectAccount(api, sandbox);
  await api.call("GET", "/stages");
  await api.call("POST", "/stages", INTERESTED);
  // A lead's first message never moves it.
  const { user_id } = await sandbox.receive(phone, { first_name: "ليلى" }, "مرحبا");
  await sandbox.receive(phone, { first_name: "ليلى", user_id }, "سعر");
  await sandbox.receive(phone, { first_name: "Zoe" }, QUESTION);
  await expect.poll(() => api.call("GET", "/leads?limit=1")).toMatchObject({ total: 2 });
  return phone;
}

async function logIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto("/login");
  await page.getByLabel(arabic("Email"), { exact: true }).fill(email);
  await page.getByLabel(arabic("Password"), { exact: true }).fill(password);
  await page.getByRole("button", { name: arabic("Login"), exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("it is not on the screen");
  return { ...box, end: box.x + box.width };
}

test.use({ locale: "ar" });

const SCREENS: [path: string, heading: string][] = [
  ["/dashboard", "Next 24 hours"],
  ["/inbox", "Inbox"],
  ["/leads", "Leads"],
  ["/board", "Board"],
  ["/stages", "Manage Stages"],
  ["/followups", "Add New Follow-up"],
  ["/reminders", "Reminder Rules"],
  ["/snippets", "Snippets"],
  ["/settings", "Settings"],
  ["/settings#people", "Tags"],
  ["/settings#keys", "API keys"],
  ["/bulk-message", "Bulk Message Sender"],
  ["/activity", "Activity"],
  ["/stats", "Stage-to-Stage Conversion"],
  ["/connect-telegram", "Connect Telegram"],
  ["/subscribe", "Billing"],
];

test("renders every screen right to left, accessible and as wide as the window", async ({
  page,
  api,
  sandbox,
  subscriber,
}) => {
  await furnish(api, sandbox);
  await logIn(page, subscriber);
  for (const [address, heading] of SCREENS)
    await test.step(address, async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(address);
      await expect(page.getByRole("heading", { name: arabic(heading), exact: true }).first()).toBeVisible();
      await expect(page.locator("html[lang=ar][dir=rtl]")).toBeAttached();
      expect(await graveFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(page.getByRole("heading", { name: arabic(heading), exact: true }).first()).toBeVisible();
      const over = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      expect(over, "scrolls sideways").toBe(0);
    });
});

test("mirrors the board's columns, arrow keys and menu", async ({ page, api, sandbox, subscriber }) => {
  await furnish(api, sandbox);
  await logIn(page, subscriber);
  await page.goto("/board");
  const [zoe, layla] = ["Zoe", "ليلى"].map((name) => page.getByRole("group", { name, exact: true }));
  if (!zoe || !layla) throw new Error("expected two cards");
  const interested = page.getByRole("region", { name: new RegExp(`^${INTERESTED.name}`) });
  await expect(interested.getByRole("group", { name: "ليلى", exact: true })).toBeVisible();
  expect((await boxOf(layla)).end).toBeLessThan((await boxOf(zoe)).x);
  await zoe.focus();
  await page.keyboard.press("ArrowRight");
  await expect(zoe).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(layla).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(zoe).toBeFocused();
});

test("orders tabs to the left, and moves Tab through a row from the right", async ({ page, subscriber, api }) => {
  expect(api.token).not.toBe("");
  await logIn(page, subscriber);
  await page.goto("/connect-telegram");
  const [code, qr] = ["Use Code", "Use QR"].map((name) => page.getByRole("tab", { name: arabic(name), exact: true }));
  if (!code || !qr) throw new Error("expected two tabs");
  expect((await boxOf(qr)).end).toBeLessThan((await boxOf(code)).x + 1);
  await code.click();
  await page.keyboard.press("ArrowLeft");
  await expect(qr).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(code).toBeFocused();

  await page.goto("/stats");
  const [today, week] = ["Today", "Last 7 Days"].map((name) =>
    page.getByRole("button", { name: arabic(name), exact: true }),
  );
  if (!today || !week) throw new Error("expected two periods");
  await today.focus();
  await page.keyboard.press("Tab");
  await expect(week).toBeFocused();
  expect((await boxOf(week)).end).toBeLessThan((await boxOf(today)).x + 1);
});

test("shows an excerpt's start, a chart's first day at the right, and whole numbers", async ({
  page,
  api,
  sandbox,
  subscriber,
}) => {
  const phone = await furnish(api, sandbox);
  await logIn(page, subscriber);
  await page.goto("/inbox");
  const excerpt = page.getByText(QUESTION, { exact: true }).first();
  await expect(excerpt).toHaveCSS("direction", "ltr");
  await expect(excerpt).toHaveCSS("text-overflow", "ellipsis");

  await page.goto("/stats");
  await page.getByRole("button", { name: arabic("Last 7 Days"), exact: true }).click();
  const plot = page.getByRole("region", { name: arabic("Lead Volume"), exact: true });
  const days = plot.locator("svg circle");
  await expect(days).toHaveCount(7);
  expect((await boxOf(days.last())).end).toBeLessThan((await boxOf(days.first())).x);

  await page.goto("/connect-telegram");
  const number = page.getByText(phone, { exact: true }).first();
  await expect(number).toHaveCSS("direction", "ltr");
});

test("aligns empty fields right, and keeps the focus on a row after Done", async ({
  page,
  api,
  sandbox,
  subscriber,
}) => {
  await furnish(api, sandbox);
  await logIn(page, subscriber);
  await page.goto("/leads");
  const notes = page.getByRole("row", { name: /Zoe/ }).getByRole("textbox", { name: arabic("Notes"), exact: true });
  await expect(notes).toHaveCSS("direction", "rtl");
  await expect(notes).toHaveCSS("text-align", "right");
  await notes.fill("Asked for the yearly plan");
  await expect(notes).toHaveCSS("direction", "ltr");
  await expect(notes).toHaveCSS("text-align", "right");

  await page.goto("/inbox");
  await page.getByRole("button", { name: arabic("All"), exact: true }).click();
  const list = page.getByRole("region", { name: arabic("Conversations"), exact: true });
  const done = list.getByRole("button", { name: /Zoe/ });
  await done.focus();
  await page.keyboard.press("Enter");
  await expect(done).toHaveCount(0);
  await expect(list.getByRole("link", { name: /Zoe/ })).toBeFocused();
});
