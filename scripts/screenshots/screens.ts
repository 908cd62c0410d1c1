import type { Page } from "@playwright/test";

/** Returns the page's translation of an English text; other texts, such as names, are unchanged. */
export type Word = (english: string) => string;

export type Screen = {
  name: string;
  path: string;
  who: "nobody" | "seller" | "newcomer";
  /** Prepares the open screen and waits until its content is shown. */
  shows: (page: Page, word: Word) => Promise<unknown>;
};

const text = (english: string) => (page: Page, word: Word) =>
  page.getByText(word(english)).filter({ visible: true }).first().waitFor();
const label = (english: string) => (page: Page, word: Word) =>
  page.getByLabel(word(english), { exact: true }).waitFor();
const rows = (page: Page) => page.getByRole("row").nth(4).waitFor();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const conversations = (page: Page, word: Word) =>
  page.getByRole("region", { name: word("Conversations") }).getByRole("link");

async function showDay(page: Page, word: Word): Promise<void> {
  await page
    .getByRole("region", { name: word("Next 24 hours") })
    .getByRole("link")
    .first()
    .waitFor();
}

async function showTools(page: Page, word: Word): Promise<void> {
  await text("Theo Janssen")(page, word);
  await button(page, word("Tools")).click();
  await page.getByRole("combobox", { name: word("Order"), exact: true }).waitFor();
}

async function showLead(page: Page, word: Word): Promise<void> {
  await page.getByRole("link", { name: "Theo Janssen", exact: true }).click();
  await page.getByRole("textbox", { name: word("Reply"), exact: true }).waitFor();
  // On narrow screens, this address opens the panel over the conversation.
  await page.goto(`${page.url()}#lead`);
  await page.getByRole("heading", { name: word("Story"), exact: true }).waitFor();
}

async function showConversation(page: Page, word: Word): Promise<void> {
  await conversations(page, word).first().click();
  await page.getByRole("textbox", { name: word("Reply"), exact: true }).waitFor();
  await page
    .getByRole("group", { name: word("Messages") })
    .getByRole("listitem")
    .first()
    .waitFor();
}

async function showKeyForm(page: Page, word: Word): Promise<void> {
  await text("Weekly sheet")(page, word);
  await button(page, word("New key")).click();
  await page.getByRole("checkbox", { name: "send", exact: true }).check();
}

async function showMonth(page: Page, word: Word): Promise<void> {
  await button(page, word("Last 30 Days")).click();
  await page.getByRole("heading", { name: word("Stage-to-Stage Conversion") }).waitFor();
}

async function showQr(page: Page, word: Word): Promise<void> {
  await page.getByRole("tab", { name: word("Use QR") }).click();
  await button(page, word("Start QR Login")).click();
  await text("Scan this QR in your Telegram app:")(page, word);
}

async function showPalette(page: Page, word: Word): Promise<void> {
  await text("Theo Janssen")(page, word);
  await page.keyboard.press("Control+k");
  await page.getByRole("listbox").getByRole("option").first().waitFor();
}

async function showKeys(page: Page, word: Word): Promise<void> {
  await conversations(page, word).first().waitFor();
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: word("Keyboard shortcuts"), exact: true }).waitFor();
}

/** Every screen, with the sample data of story.ts. */
export const SCREENS: readonly Screen[] = [
  { name: "login", path: "/login", who: "nobody", shows: label("Email") },
  { name: "signup", path: "/signup", who: "nobody", shows: label("Full Name") },
  { name: "forgot-password", path: "/forgot-password", who: "nobody", shows: label("Email") },
  { name: "subscribe", path: "/subscribe", who: "seller", shows: text("Download everything (zip)") },
  { name: "dashboard", path: "/dashboard", who: "seller", shows: showDay },
  { name: "leads", path: "/leads", who: "seller", shows: text("Theo Janssen") },
  { name: "leads-tools", path: "/leads", who: "seller", shows: showTools },
  { name: "lead", path: "/leads", who: "seller", shows: showLead },
  { name: "palette", path: "/leads", who: "seller", shows: showPalette },
  { name: "board", path: "/board", who: "seller", shows: text("Theo Janssen") },
  { name: "inbox", path: "/inbox", who: "seller", shows: (page, word) => conversations(page, word).nth(4).waitFor() },
  { name: "conversation", path: "/inbox", who: "seller", shows: showConversation },
  { name: "keys", path: "/inbox", who: "seller", shows: showKeys },
  { name: "stages", path: "/stages", who: "seller", shows: rows },
  { name: "followups", path: "/followups", who: "seller", shows: text("Add New Follow-up") },
  { name: "reminders", path: "/reminders", who: "seller", shows: text("Toggle") },
  { name: "bulk-message", path: "/bulk-message", who: "seller", shows: text("Bulk Message Sender") },
  { name: "snippets", path: "/snippets", who: "seller", shows: text("What it costs") },
  { name: "activity", path: "/activity", who: "seller", shows: rows },
  { name: "settings", path: "/settings", who: "seller", shows: text("Opt-out words") },
  { name: "settings-people", path: "/settings#people", who: "seller", shows: text("Weekends only") },
  { name: "settings-keys", path: "/settings#keys", who: "seller", shows: showKeyForm },
  { name: "settings-webhooks", path: "/settings#webhooks", who: "seller", shows: text("n8n.example.com") },
  { name: "stats", path: "/stats", who: "seller", shows: showMonth },
  { name: "connect", path: "/connect-telegram", who: "newcomer", shows: showQr },
  { name: "connected", path: "/connect-telegram", who: "seller", shows: text("Disconnect") },
];
