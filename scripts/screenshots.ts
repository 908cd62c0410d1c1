// npm run screenshots: the product on a folder of its own, a month of a seller's life, and a picture of every screen.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { chromium, request, type Browser, type Page } from "@playwright/test";
import { Api, Product, Sandbox } from "../tests/e2e/fixtures.ts";
import { ensureWebBuild } from "./build.mjs";
import { chromiumPath, launchArgs } from "./chromium.mjs";
import { answerSome, automate, openDoors, sortOut, tellStory } from "./screenshots/story.ts";

const folder = path.join(import.meta.dirname, "..", "docs", "screenshots");
const SELLER = { email: "maria@example.com", password: "correct horse battery", name: "Maria Keller" };
const NEWCOMER = { email: "tom@example.com", password: "correct horse battery", name: "Tom Baker" };
const PHONE = "+4915550001234";

type Screen = {
  name: string;
  path: string;
  who: "nobody" | "seller" | "newcomer";
  shows: (page: Page) => Promise<void>;
};
type Look = { width: "wide" | "narrow"; colorScheme: "light" | "dark" };

const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole("heading", { level: 1, name }).waitFor({ state: "visible" });
const text = (words: string) => (page: Page) => page.getByText(words).first().waitFor({ state: "visible" });

const SCREENS: Screen[] = [
  { name: "login", path: "/login", who: "nobody", shows: (page) => page.getByLabel("Email").waitFor() },
  { name: "signup", path: "/signup", who: "nobody", shows: (page) => page.getByLabel("Full Name").waitFor() },
  { name: "subscribe", path: "/subscribe", who: "seller", shows: text("✅ Subscription Active") },
  { name: "dashboard", path: "/dashboard", who: "seller", shows: showDay },
  { name: "leads", path: "/leads", who: "seller", shows: text("Theo Janssen") },
  { name: "leads-tools", path: "/leads", who: "seller", shows: showTools },
  { name: "board", path: "/board", who: "seller", shows: text("Theo Janssen") },
  { name: "inbox", path: "/inbox", who: "seller", shows: (page) => conversations(page).nth(4).waitFor() },
  { name: "conversation", path: "/inbox", who: "seller", shows: showConversation },
  { name: "stages", path: "/stages", who: "seller", shows: (page) => page.getByRole("row").nth(4).waitFor() },
  { name: "followups", path: "/followups", who: "seller", shows: text("Add New Follow-up") },
  { name: "reminders", path: "/reminders", who: "seller", shows: text("Toggle") },
  { name: "bulk-message", path: "/bulk-message", who: "seller", shows: heading(/bulk/i) },
  { name: "snippets", path: "/snippets", who: "seller", shows: text("What it costs") },
  { name: "activity", path: "/activity", who: "seller", shows: (page) => page.getByRole("row").nth(4).waitFor() },
  { name: "settings", path: "/settings", who: "seller", shows: text("Opt-out words") },
  { name: "settings-people", path: "/settings#people", who: "seller", shows: text("Weekends only") },
  { name: "settings-keys", path: "/settings#keys", who: "seller", shows: showKeyForm },
  { name: "settings-webhooks", path: "/settings#webhooks", who: "seller", shows: text("n8n.example.com") },
  { name: "stats", path: "/stats", who: "seller", shows: showMonth },
  { name: "connect", path: "/connect-telegram", who: "newcomer", shows: showQr },
  { name: "connected", path: "/connect-telegram", who: "seller", shows: text("Disconnect") },
];
const NARROW = [
  "leads",
  "leads-tools",
  "board",
  "settings",
  "settings-keys",
  "dashboard",
  "activity",
  "inbox",
  "conversation",
  "stages",
  "connect",
  "stats",
];

const conversations = (page: Page) => page.getByRole("region", { name: "Conversations" }).getByRole("link");

async function showDay(page: Page): Promise<void> {
  await text("ago")(page);
  await page.getByRole("region", { name: "Next 24 hours" }).getByRole("link").first().waitFor();
}

async function showTools(page: Page): Promise<void> {
  await text("Theo Janssen")(page);
  await page.getByRole("button", { name: "Tools" }).click();
  await page.getByRole("search").waitFor();
}

async function showConversation(page: Page): Promise<void> {
  await conversations(page).first().click();
  await page.getByRole("textbox", { name: "Reply" }).waitFor();
  await page.getByRole("group", { name: "Messages" }).getByRole("listitem").first().waitFor();
}

async function showKeyForm(page: Page): Promise<void> {
  await text("Weekly sheet")(page);
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByRole("checkbox", { name: "send" }).check();
}

async function showMonth(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Last 30 Days" }).click();
  await page.getByRole("heading", { name: "Stage-to-Stage Conversion" }).waitFor();
}

async function showQr(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Use QR" }).click();
  await page.getByRole("button", { name: "Start QR Login" }).click();
  await page.getByText("Scan this QR").waitFor();
}

/** A page in the given look whose clock stands with the sandbox's. */
async function openPage(browser: Browser, baseURL: string, now: string, { width, colorScheme }: Look): Promise<Page> {
  const viewport = width === "wide" ? { width: 1280, height: 800 } : { width: 390, height: 844 };
  const context = await browser.newContext({ baseURL, viewport, colorScheme, locale: "en-GB", timezoneId: "UTC" });
  const page = await context.newPage();
  await page.clock.install({ time: new Date(now) });
  return page;
}

async function signIn(page: Page, { email, password }: typeof SELLER): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL(/\/(dashboard|subscribe)$/);
}

async function picture(page: Page, screen: Screen, look: Look): Promise<void> {
  await page.goto(screen.path);
  await screen.shows(page);
  // The event stream stays open, so the network may never be idle.
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
  const file = `${screen.name}-${look.width}-${look.colorScheme}.png`;
  await page.screenshot({ path: path.join(folder, file), animations: "disabled", caret: "hide" });
  console.log(file);
}

async function main(): Promise<void> {
  await ensureWebBuild();
  mkdirSync(folder, { recursive: true });
  const product = await Product.start();
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: launchArgs });
  const calls = await request.newContext();
  try {
    const sandbox = new Sandbox(calls, product.url);
    const token = async ({ email, password, name }: typeof SELLER, address: string) => {
      const answer = await calls.post(`${product.url}/auth/v1/${address}`, {
        headers: { apikey: "leadloom-anon" },
        data: { email, password, data: { name } },
      });
      return ((await answer.json()) as { access_token: string }).access_token;
    };
    for (const person of [SELLER, NEWCOMER]) {
      await token(person, "signup");
      await sandbox.subscribe(person.email);
    }
    const signedIn = async () => new Api(calls, product.url, await token(SELLER, "token?grant_type=password"));
    await tellStory(signedIn, sandbox, PHONE);
    await answerSome(await signedIn());
    await sortOut(await signedIn());
    await openDoors(await signedIn());
    await sandbox.advance(1_500);
    await automate(await signedIn());
    const { now } = await sandbox.call<{ now: string }>("GET", "/clock");
    const wanted = process.argv.slice(2);
    for (const who of ["nobody", "seller", "newcomer"] as const)
      for (const width of ["wide", "narrow"] as const)
        for (const colorScheme of ["light", "dark"] as const) {
          const look = { width, colorScheme };
          const screens = SCREENS.filter(
            ({ name, who: whose }) =>
              whose === who &&
              (width === "wide" || (NARROW.includes(name) && colorScheme === "light")) &&
              (wanted.length === 0 || wanted.includes(name)),
          );
          if (screens.length === 0) continue;
          const page = await openPage(browser, product.url, now, look);
          if (who !== "nobody") await signIn(page, who === "seller" ? SELLER : NEWCOMER);
          for (const screen of screens) await picture(page, screen, look);
          await page.context().close();
        }
  } finally {
    await calls.dispose();
    await browser.close();
    await product.stop();
  }
}

await main();
