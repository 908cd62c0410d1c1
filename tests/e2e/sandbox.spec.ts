import { AxeBuilder } from "@axe-core/playwright";
import { expect, newPhone, test } from "./fixtures.ts";

test("creates a phone, writes as a lead, shows the code and moves the clock", async ({ page }) => {
  const number = newPhone();
  await page.goto("/sandbox");
  await page.getByRole("form", { name: "New phone", exact: true }).getByLabel("Phone", { exact: true }).fill(number);
  await page.getByRole("button", { name: "Make it", exact: true }).click();
  const phone = page.getByRole("region", { name: `Phone ${number}`, exact: true });
  await expect(phone).toBeVisible();
  const write = phone.getByRole("form", { name: "Write as someone new", exact: true });
  await write.getByLabel("First name", { exact: true }).fill("Grace");
  await write.getByLabel("Username", { exact: true }).fill("grace_h");
  await write.getByLabel("Message", { exact: true }).fill("Hi, what is the price?");
  await write.getByRole("button", { name: "Send", exact: true }).click();
  await expect(phone.getByRole("listitem")).toContainText("Hi, what is the price?");
  await phone.getByRole("textbox", { name: "Write as Grace", exact: true }).fill("Still there?");
  await page.keyboard.press("Enter");
  await expect(phone.getByRole("listitem").last()).toContainText("Still there?");
  await phone.getByRole("button", { name: "Block", exact: true }).click();
  await expect(phone.getByRole("button", { name: "Unblock", exact: true })).toBeVisible();
  const before = await page.getByRole("region", { name: "Clock", exact: true }).locator("p").textContent();
  await page.getByRole("button", { name: "+1 day", exact: true }).click();
  await expect(page.getByRole("region", { name: "Clock", exact: true }).locator("p")).not.toHaveText(before ?? "");
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
});

test("shows the live statecharts of a sandbox under the page's policy", async ({ page }) => {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedHTML/.test(message.text())) refused.push(message.text());
  });
  await page.goto("/login?inspect");
  const inspector = page.getByRole("complementary", { name: "Inspector", exact: true });
  await inspector.getByRole("button", { name: /^session/ }).click();
  await expect(
    inspector.getByRole("img", { name: "Statechart of session, live: session, session.signedOut", exact: true }),
  ).toBeVisible();
  await expect(inspector.locator("[data-state='session.signedOut'][data-live]")).toHaveCount(1);
  expect(refused).toEqual([]);
});

test.describe("in an Arabic browser", () => {
  test.use({ locale: "ar" });

  test("shows the sandbox page in Arabic, right to left, and writes as a lead", async ({ page }) => {
    const number = newPhone();
    await page.goto("/sandbox");
    await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
    await expect(page).toHaveTitle("بيئة تجريبية · Leadloom");
    const form = page.getByRole("form", { name: "هاتف جديد", exact: true });
    await form.getByLabel("الهاتف", { exact: true }).fill(number);
    await form.getByRole("button", { name: "إنشاء", exact: true }).click();
    const phone = page.getByRole("region", { name: `الهاتف ${number}`, exact: true });
    const write = phone.getByRole("form", { name: "الكتابة كشخص جديد", exact: true });
    await write.getByLabel("الاسم الأول", { exact: true }).fill("ليلى");
    await write.getByLabel("الرسالة", { exact: true }).fill("كم السعر؟");
    await write.getByRole("button", { name: "إرسال", exact: true }).click();
    await expect(phone.getByRole("listitem")).toContainText("كم السعر؟");
    await expect(phone.getByRole("form", { name: "الكتابة باسم ليلى", exact: true })).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});
