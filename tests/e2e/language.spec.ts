import type { Page } from "@playwright/test";
import { expect, logIn, test } from "./fixtures.ts";
import { wordsIn } from "./words.ts";

const language = (page: Page) => page.locator("html");
const choice = (page: Page) => page.locator("footer select");
const field = (page: Page, name: string) => page.locator(`input[name=${name}]`);

test.describe("in a Russian browser", () => {
  test.use({ locale: "ru-RU" });

  test("keeps the language chosen at the login, here and on another device", async ({
    page,
    browser,
    baseURL,
    subscriber,
    api,
  }) => {
    await page.goto("/login");
    await expect(language(page)).toHaveAttribute("lang", "ru");
    await expect(page.locator("button[type=submit]")).toHaveText(wordsIn("ru")("Login"));
    await field(page, "email").fill(subscriber.email);
    await field(page, "password").fill(subscriber.password);

    await field(page, "password").focus();
    await choice(page).selectOption("en");
    await expect(page.getByRole("button", { name: "Login", exact: true })).toBeVisible();
    await expect(field(page, "password")).toBeFocused();
    await expect(field(page, "password")).toHaveValue(subscriber.password);
    await page.reload();
    await expect(page.getByRole("button", { name: "Login", exact: true })).toBeVisible();
    await expect(field(page, "email")).toHaveValue(subscriber.email);

    await field(page, "password").fill(subscriber.password);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect.poll(() => api.call("GET", "/settings")).toMatchObject({ language: "en" });

    const other = await browser.newContext({ locale: "ru-RU", ...(baseURL === undefined ? {} : { baseURL }) });
    const device = await other.newPage();
    await logIn(device, subscriber, wordsIn("ru"));
    await expect(language(device)).toHaveAttribute("lang", "en");
    await device.goto("/settings#language");
    await device.getByRole("combobox", { name: "Language of the page", exact: true }).selectOption("ru");
    await expect(language(device)).toHaveAttribute("lang", "ru");
    await expect.poll(() => api.call("GET", "/settings")).toMatchObject({ language: "ru" });
    await device.goto("/leads");
    await expect(language(device)).toHaveAttribute("lang", "ru");
    const count = device.locator("input[type=number]").first();
    await count.pressSequentially("١٢,5");
    await expect(count).toHaveValue("12.5");
    await other.close();
  });

  test("keeps its language, and says so, when another one cannot be fetched", async ({ page }) => {
    await page.goto("/login");
    await choice(page).selectOption("en");
    await expect(language(page)).toHaveAttribute("lang", "en");
    await page.evaluate(() => localStorage.clear());
    await page.route("**/assets/visitor-*", (route) => route.abort());
    await page.reload();
    await expect(language(page)).toHaveAttribute("lang", "en");
    await expect(page.getByText("The language could not be loaded.", { exact: false })).toBeVisible();
  });
});

test("switches every open tab to Uzbek, with the calendar, and keeps typed text", async ({
  page,
  context,
  subscriber,
  receiveLeads,
}) => {
  await receiveLeads(["Ada", "Bea"]);
  await logIn(page, subscriber);
  const open = async (address: string) => {
    const tab = await context.newPage();
    await tab.goto(address);
    await expect(tab.getByRole("main").getByText("Ada", { exact: true }).first()).toBeVisible();
    return tab;
  };
  const [leads, board, inbox] = [await open("/leads"), await open("/board"), await open("/inbox")];
  await leads.getByRole("textbox", { name: "From", exact: true }).fill("11/24/2026");

  const choose = (tab: Page) => tab.getByRole("combobox", { name: "Language of the page", exact: true });
  const settings = await context.newPage();
  for (const tab of [settings, page]) {
    await tab.goto("/settings#language");
    await expect(choose(tab)).toBeVisible();
  }
  await choose(page).selectOption("uz");
  await expect(settings.getByRole("main").getByRole("combobox")).toHaveValue("uz");
  for (const tab of [page, leads, board, inbox]) await expect(language(tab)).toHaveAttribute("lang", "uz");

  const from = leads.locator("input[inputmode=text]").first();
  await expect(from).toHaveValue("24/11/2026");
  await leads.locator("[aria-haspopup=dialog]").click();
  const calendar = leads.getByRole("dialog");
  await expect(calendar.getByText("noyabr, 2026", { exact: true })).toBeVisible();
  await expect(calendar.locator("th")).toHaveText(["D", "S", "C", "P", "J", "S", "Y"]);
  await expect(calendar.getByRole("button", { name: /seshanba, 24-noyabr, 2026/ })).toBeFocused();
  await expect(calendar.getByRole("button", { name: "Keyingi", exact: true }).first()).toBeVisible();
  await leads.keyboard.press("Escape");
  await expect(leads.getByText(/^\d{1,2}-[a-z]+, 20\d\d/).first()).toBeVisible();

  for (const tab of [leads, board, inbox]) {
    const screenText = async () => (await tab.getByRole("main").innerText()).replaceAll(/\d+/g, "0");
    const switched = await screenText();
    await tab.reload();
    await expect.poll(screenText).toEqual(switched);
  }
});

test("keeps a long date within its column", async ({ page, api, receiveLeads, subscriber }) => {
  await receiveLeads(["Ada"]);
  await api.call("PATCH", "/settings", { language: "pt-BR" });
  await logIn(page, subscriber);
  await page.goto("/leads");
  const cell = page.locator("td[data-column=date]").first();
  await expect(cell).toContainText(/ de 20\d\d/);
  const overhang = await page.evaluate<number>(`
    const cell = document.querySelector("td[data-column=date]");
    const text = document.createRange();
    text.selectNodeContents(cell);
    text.getBoundingClientRect().right - cell.getBoundingClientRect().right;
  `);
  expect(overhang).toBeLessThanOrEqual(0);
});
