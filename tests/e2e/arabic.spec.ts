import { boxOf, expect, logIn, test } from "./fixtures.ts";
import { wordsIn } from "./words.ts";

const arabic = wordsIn("ar");

const INTERESTED = { name: "مهتم", keywords: ["سعر"], order: 2, color: "#0b6e5f" };
const QUESTION = "Hello, I have read everything on your page and would like to know how long the programme takes.";

test.use({ locale: "ar" });

/** Adds one lead in each of two stages; the one in the first stage wrote a long English text. */
test.beforeEach(async ({ page, api, sandbox, phone, subscriber }) => {
  await api.call("GET", "/stages");
  await api.call("POST", "/stages", INTERESTED);
  // A lead's first message never moves it.
  const { user_id } = await sandbox.receive(phone, { first_name: "ليلى" }, "مرحبا");
  await sandbox.receive(phone, { first_name: "ليلى", user_id }, "سعر");
  await sandbox.receive(phone, { first_name: "Zoe" }, QUESTION);
  await expect.poll(() => api.call("GET", "/leads?limit=1")).toMatchObject({ total: 2 });
  await logIn(page, subscriber, arabic);
});

test("mirrors the board's columns, arrow keys and menu", async ({ page }) => {
  await page.goto("/board");
  const card = (name: string) => page.getByRole("group", { name, exact: true });
  const [zoe, layla] = [card("Zoe"), card("ليلى")];
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

test("orders tabs to the left, and moves Tab through a row from the right", async ({ page, api }) => {
  await api.call("POST", "/telegram/disconnect");
  await page.goto("/connect-telegram");
  const tab = (name: string) => page.getByRole("tab", { name: arabic(name), exact: true });
  const [code, qr] = [tab("Use Code"), tab("Use QR")];
  expect((await boxOf(qr)).end).toBeLessThan((await boxOf(code)).x + 1);
  await code.click();
  await page.keyboard.press("ArrowLeft");
  await expect(qr).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(code).toBeFocused();

  await page.goto("/stats");
  const period = (name: string) => page.getByRole("button", { name: arabic(name), exact: true });
  const [today, week] = [period("Today"), period("Last 7 Days")];
  await today.focus();
  await page.keyboard.press("Tab");
  await expect(week).toBeFocused();
  expect((await boxOf(week)).end).toBeLessThan((await boxOf(today)).x + 1);
});

test("shows an excerpt's start, a chart's first day at the right, and whole numbers", async ({ page, phone }) => {
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

test("aligns empty fields right, and keeps the focus on a row after Done", async ({ page }) => {
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
