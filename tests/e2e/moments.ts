import type { Page } from "@playwright/test";
import type { Screen, Word } from "../../scripts/screenshots/screens.ts";

/** A temporary state of a screen: a dialog, a panel, a refusal. `ends` reverts what `shows` did. */
export type Moment = Screen & { ends?: (page: Page, word: Word) => Promise<unknown> };

const named = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const press = (page: Page, name: string) => named(page, name).first().click();
const question = (page: Page) => page.getByRole("alertdialog").waitFor();
const refuse = (page: Page, address: string, code: string, params: object) =>
  page.route(address, (route) =>
    route.request().method() === "GET"
      ? route.fallback()
      : route.fulfill({ status: 409, json: { code, message: "Refused.", params } }),
  );

/** Presses the button with this English name and waits for the dialog. */
const asks = (english: string) => async (page: Page, word: Word) => {
  await press(page, word(english));
  await question(page);
};

/** Presses the first button with a bin icon and waits for the dialog. */
const asksAtBin = async (page: Page) => {
  await page.locator("main button:has(.lucide-trash2, .lucide-trash-2)").filter({ visible: true }).first().click();
  await question(page);
};

/** Opens the tools above the list of leads, which then stay open. */
async function openTools(page: Page, word: Word): Promise<void> {
  await page.getByText("Theo Janssen").filter({ visible: true }).first().waitFor();
  const tools = named(page, word("Tools"));
  if ((await tools.getAttribute("aria-expanded")) !== "true") await tools.click();
}

/** Opens the panel of a lead over its conversation. */
async function openPanel(page: Page, word: Word): Promise<void> {
  await page.getByRole("link", { name: "Theo Janssen", exact: true }).click();
  await page.getByRole("textbox", { name: word("Reply"), exact: true }).waitFor();
  await page.goto(`${page.url()}#lead`);
}

/** All settings are sections of one page, so an open dialog would block the next section. */
const cancel = (page: Page) => page.keyboard.press("Escape");

const opensTool = (english: string) => async (page: Page, word: Word) => {
  await openTools(page, word);
  await named(page, word(english)).filter({ visible: true }).click();
};

/** A moment of the seller's screen at this address. */
const moment = (name: string, path: string, shows: Moment["shows"], ends?: Moment["ends"]): Moment => ({
  name,
  path,
  who: "seller",
  shows,
  ...(ends && { ends }),
});

export const MOMENTS: readonly Moment[] = [
  {
    name: "refused login",
    path: "/login",
    who: "nobody",
    async shows(page, word) {
      await page.getByLabel(word("Email"), { exact: true }).fill("maria@example.com");
      await page.getByLabel(word("Password"), { exact: true }).fill("not the password");
      await press(page, word("Login"));
      await page.getByRole("alert").or(page.getByRole("alertdialog")).first().waitFor();
    },
  },
  moment("deleted stage", "/stages", asks("Delete Stage")),
  moment("deleted snippet", "/snippets", asksAtBin),
  moment("deleted tag", "/settings#people", asksAtBin, cancel),
  moment("deleted webhook", "/settings#webhooks", asksAtBin, cancel),
  moment(
    "revoked key",
    "/settings#keys",
    async (page, word) => {
      const revoke = page.getByText(word("Revoke"), { exact: true }).first();
      await revoke.waitFor();
      // Closes the form of a new key first, because its draft is restored.
      const form = named(page, word("Cancel")).filter({ visible: true });
      if (await form.isVisible()) await form.click();
      await revoke.click();
      await question(page);
    },
    cancel,
  ),
  moment("bulk message", "/bulk-message", async (page, word) => {
    await page.getByLabel(word("Message"), { exact: true }).fill("Theo Janssen");
    await press(page, word("Send Bulk Message"));
    await question(page);
  }),
  moment("account deletion", "/subscribe", async (page, word) => {
    await press(page, word("Delete account…"));
    await named(page, word("Delete account for good")).waitFor();
  }),
  moment("menu of a card", "/board", async (page) => {
    await page.locator("main button[aria-haspopup=menu]").first().click();
    await page.getByRole("menu").waitFor();
  }),
  moment(
    "undo of a done conversation",
    "/inbox",
    async (page, word) => {
      await page
        .getByRole("region", { name: word("Conversations") })
        .getByRole("link")
        .first()
        .click();
      await press(page, word("Done"));
      await named(page, word("Undo")).waitFor();
    },
    (page, word) => press(page, word("Undo")),
  ),
  moment(
    "refused snippet",
    "/snippets",
    async (page, word) => {
      await refuse(page, "**/api/snippets", "too_many_snippets", { limit: 100 });
      await page.locator('[data-command="snippets.add"]').click();
      await page.getByLabel(word("Title"), { exact: true }).fill("Theo Janssen");
      await page.getByLabel(word("Text"), { exact: true }).fill("Theo Janssen");
      await press(page, word("Save Snippet"));
      await page.getByRole("alert").first().waitFor();
    },
    (page) => page.unroute("**/api/snippets"),
  ),
  moment(
    "offline",
    "/snippets",
    async (page, word) => {
      await page.getByText("What it costs").first().waitFor();
      await page.context().setOffline(true);
      await page.getByText(word("You are offline. What you type is kept.")).waitFor();
    },
    (page) => page.context().setOffline(false),
  ),
  moment("filters", "/leads", async (page, word) => {
    await openTools(page, word);
    // On a phone one button opens all filters.
    const filters = named(page, word("More filters")).or(named(page, word("Filters")));
    await filters.filter({ visible: true }).click();
  }),
  moment("columns", "/leads", opensTool("Columns")),
  moment("views", "/leads", opensTool("Views")),
  moment("import", "/leads", opensTool("Import")),
  moment("selected leads", "/leads", async (page, word) => {
    await openTools(page, word);
    await page.locator("input[data-lead]").first().check();
    await page.getByRole("region", { name: word("Selected leads") }).waitFor();
  }),
  moment("own period", "/stats", async (page, word) => {
    await press(page, word("Custom"));
    await page.getByLabel(word("Start date"), { exact: true }).waitFor();
  }),
  moment("hold of a lead", "/leads", async (page, word) => {
    await openPanel(page, word);
    await press(page, word("Hold"));
    await page.getByRole("combobox", { name: word("Until when"), exact: true }).waitFor();
  }),
  moment("no lead", "/leads", async (page, word) => {
    await openPanel(page, word);
    await asks("Not a lead")(page, word);
  }),
];
