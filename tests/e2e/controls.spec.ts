import type { Page } from "@playwright/test";
import { type Api, connectAccount, expect, logIn, receiveLeads, test } from "./fixtures.ts";

/** Lays out two of everything that can be deleted. */
async function layOut(api: Api): Promise<void> {
  const [first] = await api.call<{ id: string }[]>("GET", "/stages");
  for (const [index, name] of ["Interested", "Won"].entries())
    await api.call("POST", "/stages", { name, keywords: [`word ${name}`], order: index + 2, color: "#0b6e5f" });
  for (const [order, message] of ["First", "Second"].entries()) {
    const step = { stage_id: first?.id ?? "", message, followup_order: order, delay_hours: 24 };
    await api.call("POST", "/followups", undefined, step);
  }
  for (const channel of ["@first_team", "@second_team"]) {
    const rule = { type: "stuck", stage: "Interested", delay_days: 3, channel_id: channel, template: "{name}" };
    await api.call("POST", "/reminders", rule);
  }
  for (const name of ["one", "two"]) {
    await api.call("POST", "/snippets", { title: `Snippet ${name}`, text: "Hello" });
    await api.call("POST", "/tags", { name: `Tag ${name}` });
    await api.call("POST", "/fields", { name: `Field ${name}`, type: "text" });
    await api.call("POST", "/views", { name: `View ${name}` });
    await api.call("POST", "/keys", { name: `Key ${name}`, scopes: ["read"] });
    const hook = { url: `https://${name}.example.com/`, events: ["lead.created"], enabled: false };
    await api.call("POST", "/webhooks", hook);
  }
}

const at = (path: string) => (page: Page) => page.goto(path);
const buttons = (page: Page, name: string | RegExp) =>
  page.getByRole("main").getByRole("button", { name, exact: true });
const press = (name: string | RegExp) => (page: Page) => buttons(page, name).first().click();
const fill = (name: string, text: string) => (page: Page) =>
  page.getByRole("main").getByRole("textbox", { name, exact: true }).first().fill(text);
async function toViews(page: Page): Promise<void> {
  await page.goto("/leads");
  for (const name of ["Tools", "Views"]) {
    const toggle = buttons(page, name);
    await expect(toggle).toHaveAttribute("aria-expanded", /true|false/);
    if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
  }
}
const alert = (page: Page) => page.getByRole("alertdialog");
const answer = (page: Page) => alert(page).getByRole("button", { name: "OK" }).press("Enter");

/** The buttons by which things of one kind are deleted, and which of them is pressed. */
type Deletion = { open: (page: Page) => Promise<unknown>; name: string | RegExp; index?: number; asks?: boolean };
const DELETIONS: Record<string, Deletion> = {
  "a stage": { open: at("/stages"), name: "Delete Stage", index: 1, asks: true },
  "a follow-up": { open: at("/followups"), name: "Delete" },
  "a reminder": { open: at("/reminders"), name: "Delete" },
  "a snippet": { open: at("/snippets"), name: /^Delete Snippet/, asks: true },
  "a view": { open: toViews, name: /^Delete View/ },
  "a tag": { open: at("/settings#people"), name: /^Delete Tag/ },
  "a field": { open: at("/settings#people"), name: /^Delete Field/ },
  "a key": { open: at("/settings#keys"), name: /^Revoke/, asks: true },
  "a webhook": { open: at("/settings#webhooks"), name: /^Delete https/, asks: true },
};

test("the focus goes to a neighbour after every deletion by keyboard", async ({ page, api, subscriber }) => {
  await layOut(api);
  await logIn(page, subscriber);
  for (const [what, { open, name, index = 0, asks = false }] of Object.entries(DELETIONS))
    await test.step(what, async () => {
      await open(page);
      const all = buttons(page, name);
      await expect(all.nth(index + 1)).toBeEnabled();
      const before = await all.count();
      await all.nth(index).press("Enter");
      if (asks) await answer(page);
      await expect(all).toHaveCount(before - 1);
      await expect(all.nth(index)).toBeFocused();
    });
});

/** A write that is refused: what a person does for it, and the control beside which it is told. */
type Attempt = {
  what: string;
  /** Where it is done, if not where the attempt before it was. */
  open?: (page: Page) => Promise<unknown>;
  acts: ((page: Page) => Promise<unknown>)[];
  asks?: boolean;
  /** Said over the screen first, as the texts of the product demand. */
  alerts?: string;
  control: string | RegExp;
};
const group = (page: Page) => page.getByRole("region", { name: "Initial Contact" });
const ATTEMPTS: Attempt[] = [
  {
    what: "stages saved",
    open: at("/stages"),
    acts: [fill("Name", "Newcomer"), press("Save Changes")],
    alerts: "Failed to save stages",
    control: "Save Changes",
  },
  { what: "a follow-up deleted", open: at("/followups"), acts: [press("Delete")], control: "Delete" },
  {
    what: "a follow-up saved",
    acts: [
      (page) => group(page).getByLabel("Message").first().fill("First?"),
      (page) => group(page).getByRole("button", { name: "Save" }).click(),
    ],
    control: "Save Changes",
  },
  {
    what: "a follow-up added",
    acts: [
      (page) => page.getByLabel("Stage", { exact: true }).selectOption("Interested"),
      (page) => page.getByRole("region", { name: "Add New Follow-up" }).getByLabel("Message").fill("Third"),
      press("Add Follow-up"),
    ],
    control: "Add Follow-up",
  },
  {
    what: "follow-up settings saved",
    acts: [(page) => page.getByLabel("Start hour").fill("7"), press("Save Settings")],
    control: "Save Settings",
  },
  { what: "a reminder deleted", open: at("/reminders"), acts: [press("Delete")], control: "Delete" },
  { what: "a reminder toggled", acts: [press("Toggle")], control: "Toggle" },
  {
    what: "a reminder added",
    acts: [
      (page) => page.getByLabel("Stage name").fill("Interested"),
      (page) => page.getByLabel("Channel ID").fill("@third_team"),
      press("Add Reminder"),
    ],
    alerts: "Error adding reminder",
    control: "Add Reminder",
  },
  {
    what: "a snippet deleted",
    open: at("/snippets"),
    acts: [press(/^Delete Snippet/)],
    asks: true,
    control: /^Delete Snippet/,
  },
  {
    what: "a snippet added",
    acts: [press("Add Snippet"), fill("Title", "Three"), fill("Text", "Hello"), press("Save Snippet")],
    control: "Save Snippet",
  },
  { what: "a view deleted", open: toViews, acts: [press(/^Delete View/)], control: /^Delete View/ },
  { what: "a view added", acts: [press("Add View"), fill("Name", "Three"), press("Save View")], control: "Save View" },
  { what: "a tag deleted", open: at("/settings#people"), acts: [press(/^Delete Tag/)], control: /^Delete Tag/ },
  { what: "a tag added", acts: [press("Add Tag"), fill("Name", "Three"), press("Save Tag")], control: "Save Tag" },
  { what: "a field deleted", acts: [press(/^Delete Field/)], control: /^Delete Field/ },
  {
    what: "a field saved",
    acts: [
      press(/^Edit Field/),
      (page) => page.getByRole("region", { name: "Edit Field" }).getByRole("textbox", { name: "Name" }).fill("Three"),
      press("Save Field"),
    ],
    control: "Save Field",
  },
  { what: "a key revoked", open: at("/settings#keys"), acts: [press(/^Revoke/)], asks: true, control: /^Revoke/ },
  {
    what: "a key created",
    acts: [press("New key"), fill("Name", "Three"), press("Create key")],
    control: "Create key",
  },
  {
    what: "a webhook deleted",
    open: at("/settings#webhooks"),
    acts: [press(/^Delete https/)],
    asks: true,
    control: /^Delete https/,
  },
  { what: "a webhook enabled", acts: [press(/^Enable/)], control: /^Enable/ },
  {
    what: "a webhook saved",
    acts: [press(/^Edit https/), fill("Address", "https://three.example.com/"), press("Save webhook")],
    control: "Save webhook",
  },
  {
    what: "settings saved",
    open: at("/settings#automation"),
    acts: [(page) => page.getByRole("checkbox", { name: "Sunday" }).press("Space"), press("Save Settings")],
    control: "Save Settings",
  },
];

/** From now on every write is refused with these words. */
async function refuse(page: Page, words: () => string): Promise<void> {
  await page.route(/\/api\//, (route) =>
    route.request().method() === "GET"
      ? route.fallback()
      : route.fulfill({ status: 409, json: { message: words(), code: "conflict" } }),
  );
}

test("a refused add, save, delete or toggle is told beside its control, in every form", async ({
  page,
  api,
  subscriber,
}) => {
  await layOut(api);
  await logIn(page, subscriber);
  let refusal = "";
  await refuse(page, () => refusal);
  for (const { what, open, acts, asks = false, alerts, control } of ATTEMPTS)
    await test.step(what, async () => {
      refusal = `Refused: ${what}.`;
      await open?.(page);
      for (const act of acts) await act(page);
      if (asks) await answer(page);
      if (alerts !== undefined) {
        await expect(alert(page)).toContainText(alerts);
        await answer(page);
      }
      const words = page.getByRole("main").getByText(refusal);
      await expect(words).toBeVisible();
      const [told, pressed] = [await words.boundingBox(), await buttons(page, control).first().boundingBox()];
      expect(Math.abs((told?.y ?? Number.NaN) - (pressed?.y ?? Number.NaN))).toBeLessThan(300);
    });
});

test("in a lead's panel, too", async ({ page, api, sandbox, subscriber }) => {
  const phone = await connectAccount(api, sandbox);
  await api.call("POST", "/tags", { name: "VIP" });
  await receiveLeads(api, sandbox, phone, ["Ann"]);
  const { leads } = await api.call<{ leads: { id: string }[] }>("GET", "/leads");
  await logIn(page, subscriber);
  await page.goto(`/leads/${leads[0]?.id}`);
  await expect(buttons(page, "Add tag")).toBeVisible();
  const refusal = "Refused for this test.";
  await refuse(page, () => refusal);
  const words = page.getByRole("main").getByText(refusal);
  await press("Add tag")(page);
  await expect(words).toHaveCount(1);
  await press("Hold")(page);
  await page.getByRole("form", { name: "Hold automatic messages" }).getByRole("button", { name: "Hold" }).click();
  await expect(words).toHaveCount(2);
});

test("keys pass over a select that acts: Enter applies, Escape takes it back", async ({ page, subscriber }) => {
  await logIn(page, subscriber);
  await page.goto("/leads");
  await press("Tools")(page);
  const order = page.getByRole("combobox", { name: "Order" });
  await order.press("ArrowDown");
  await expect(order).toHaveValue("created_at");
  await expect(page).toHaveURL(/\/leads$/);
  await order.press("Escape");
  await expect(order).toHaveValue("");
  await order.press("ArrowDown");
  await order.press("Enter");
  await expect(page).toHaveURL(/\/leads\?sort=created_at$/);
});

test.describe("help texts", () => {
  const words = "Leads always go into the first stage, regardless of its keywords.";
  const help = (page: Page) => page.getByRole("columnheader", { name: "Order", exact: true }).getByRole("button");

  test("open by keyboard, close by Escape, and are named after their column", async ({ page, subscriber }) => {
    await logIn(page, subscriber);
    await page.goto("/stages");
    await expect(help(page)).toHaveAccessibleName("Help: Order");
    await page.getByRole("button", { name: "Save Changes" }).focus();
    await page.keyboard.press("Tab");
    await expect(help(page)).toBeFocused();
    await expect(page.getByRole("tooltip")).toHaveText(words);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("tooltip")).toHaveCount(0);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("tooltip")).toHaveText(words);
  });

  test.describe("by touch", () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 1024, height: 800 } });

    test("open by a tap, and close by another or one elsewhere", async ({ page, subscriber }) => {
      await logIn(page, subscriber);
      await page.goto("/stages");
      await help(page).tap();
      await expect(page.getByRole("tooltip")).toHaveText(words);
      await help(page).tap();
      await expect(page.getByRole("tooltip")).toHaveCount(0);
      await help(page).tap();
      await page.getByRole("heading", { name: "Manage Stages" }).tap();
      await expect(page.getByRole("tooltip")).toHaveCount(0);
    });
  });
});
