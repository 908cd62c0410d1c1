import type { Locator, Page } from "@playwright/test";
import {
  type Api,
  connectByCode,
  expect,
  graveFaults,
  logIn,
  menuLink,
  newPhone,
  rowOf,
  type Sandbox,
  test,
} from "./fixtures.ts";

type Look = { width: number; height: number; colorScheme: "light" | "dark" };
const WIDE: Look[] = [
  { width: 1280, height: 800, colorScheme: "light" },
  { width: 1280, height: 800, colorScheme: "dark" },
  // 1280 pixels at a zoom of 200 %.
  { width: 640, height: 400, colorScheme: "light" },
];
const NARROW: Look[] = [
  { width: 390, height: 844, colorScheme: "light" },
  { width: 390, height: 844, colorScheme: "dark" },
];

type Screen = {
  path: string;
  title: string;
  /** The heading and the menu link where they differ from the title. */
  heading?: string | RegExp;
  link?: string;
  level?: number;
  /** Returns what the main part shows once its data has loaded. */
  loaded?: (main: Locator) => Locator;
};
const ofButton = (name: string) => (main: Locator) => main.getByRole("button", { name, exact: true });
const ofHeading = (name: string) => (main: Locator) => main.getByRole("heading", { name, exact: true });
const ofLink = (name: string) => (main: Locator) => main.getByRole("link", { name, exact: true });
const OUTSIDE: Screen[] = [
  { path: "/login", title: "Log in" },
  { path: "/signup", title: "Sign up", heading: "Sign Up" },
  { path: "/forgot-password", title: "Forgot password", heading: /password/i },
];
const INSIDE: Screen[] = [
  { path: "/dashboard", title: "Dashboard", heading: /^Welcome, / },
  { path: "/inbox", title: "Inbox" },
  { path: "/leads", title: "Leads", loaded: ofLink("Ada Lovelace") },
  { path: "/stages", title: "Manage Stages", link: "Stages", loaded: ofButton("Move Up") },
  { path: "/followups", title: "Follow-up Settings", loaded: ofHeading("Add New Follow-up") },
  { path: "/reminders", title: "Reminder Rules", link: "Reminders", loaded: ofButton("Toggle") },
  { path: "/snippets", title: "Snippets" },
  { path: "/settings", title: "Settings" },
  { path: "/bulk-message", title: "Bulk Message", heading: "Bulk Message Sender" },
  { path: "/activity", title: "Activity" },
  { path: "/stats", title: "Stats", loaded: ofHeading("Stage-to-Stage Conversion") },
  { path: "/connect-telegram", title: "Connect Telegram", loaded: ofButton("Disconnect") },
  { path: "/subscribe", title: "Billing" },
];
/** Screens without a menu link. */
const BESIDE: Screen[] = [
  { path: "/board", title: "Board" },
  { path: "/settings#people", title: "Settings", heading: "Tags", level: 3 },
  { path: "/settings#keys", title: "Settings", heading: "API keys", level: 2 },
  { path: "/settings#webhooks", title: "Settings", heading: "Webhooks", level: 2 },
];
const NAMES: [first: string, last?: string][] = [
  ["Ada", "Lovelace"],
  ["עדה", "לאבלייס"],
  ["عائشة", "بنت عبد الرحمن"],
  ["👩🏽‍🚀🎉", "🦄🦄🦄"],
  ["Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissen", "Hubert-Blaine".repeat(3)],
  ["山田", "太郎"],
];

/** Adds a few dozen leads with names that stress the layout, two stages, a follow-up and a reminder. */
async function furnish(page: Page, api: Api, sandbox: Sandbox): Promise<void> {
  const phone = newPhone();
  await connectByCode(page, sandbox, phone);
  // The first request creates the 'Initial Contact' stage of a new account.
  await api.call("GET", "/stages");
  const stage = await api.call<{ id: string }>("POST", "/stages", {
    name: "Interested in everything we have to offer this year",
    keywords: ["price"],
    order: 2,
    color: "#c77700",
  });
  await api.call("POST", "/followups", undefined, {
    stage_id: stage.id,
    message: "Here are our prices.",
    followup_order: 0,
    delay_hours: 24,
  });
  await api.call("POST", "/reminders", {
    type: "stuck",
    stage: "Initial Contact",
    delay_days: 2,
    channel_id: "@leadloom_team",
    template: "⏰ Lead {name} is stuck in stage {stage}.",
  });
  for (let index = 0; index < 24; index++) {
    const [first_name, last_name] = NAMES[index % NAMES.length] ?? ["Ada"];
    const text = index % 3 === 0 ? "What is the price?" : "Hello";
    await sandbox.receive(phone, { first_name, ...(last_name === undefined ? {} : { last_name }) }, text);
  }
  await expect.poll(async () => (await api.call<{ total: number }>("GET", "/leads?limit=1")).total).toBe(24);
}

/** Checks a screen's title, that axe finds nothing serious, and that nothing scrolls sideways. */
async function expectSound(page: Page, { title, heading = title, level = 1 }: Screen): Promise<void> {
  await expect(page.getByRole("heading", { level, name: heading, exact: true }).first()).toBeVisible();
  await expect(page).toHaveTitle(`${title} · Leadloom`);
  expect(await graveFaults(page), title).toEqual([]);
  const width = await page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
  const [whole, seen] = width as [number, number];
  expect(whole, `${title} scrolls sideways`).toBeLessThanOrEqual(seen);
}

/** Records what the page's content security policy blocked, over all its loads. */
async function countViolations(page: Page): Promise<string[]> {
  const refused: string[] = [];
  await page.exposeFunction("reportRefusal", (what: string) => refused.push(what));
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (e) => reportRefusal(`${e.violatedDirective} ${e.blockedURI}`))",
  );
  return refused;
}

for (const [name, looks] of [
  ["wide", WIDE],
  ["narrow", NARROW],
] as const)
  test(`renders every screen named, accessible, within window and policy (${name})`, async ({
    page,
    api,
    sandbox,
    subscriber,
  }) => {
    const refused = await countViolations(page);
    /** Opens a screen in each viewport and color scheme, and checks it. */
    const check = async (screen: Screen) => {
      for (const { colorScheme, ...size } of looks)
        await test.step(`${screen.path} at ${size.width} pixels, ${colorScheme}`, async () => {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await page.setViewportSize(size);
          await page.goto(screen.path);
          if (screen.loaded) await expect(screen.loaded(page.getByRole("main")).first()).toBeVisible();
          await expectSound(page, screen);
        });
    };
    for (const screen of OUTSIDE) await check(screen);
    await logIn(page, subscriber);
    await furnish(page, api, sandbox);
    for (const screen of [...INSIDE, ...BESIDE]) await check(screen);
    const [lead] = (await api.call<{ leads: { id: string; name: string }[] }>("GET", "/leads?limit=1")).leads;
    await check({
      path: `/leads/${lead?.id}`,
      title: lead?.name ?? "",
      level: 2,
      loaded: (main) => main.getByRole("region", { name: "Conversation", exact: true }).getByRole("listitem"),
    });
    await page.route("**/api/billing/**", () => undefined);
    const finalizing = "🎉 Finalizing your subscription...";
    await check({ path: "/billing/success?session_id=cs_test", title: "Finalizing", heading: finalizing });
    await page.unroute("**/api/billing/**");
    await sandbox.subscribe(subscriber.email, "canceled");
    const loaded = (main: Locator) => main.getByText("🚫 Subscription Required", { exact: true });
    await check({ path: "/subscribe", title: "Billing", loaded });
    expect(refused).toEqual([]);
  });

test("moves the focus to the heading of each screen in the menu", async ({ page, subscriber, api }) => {
  expect(api.token).not.toBe("");
  await logIn(page, subscriber);
  for (const { title, link = title, heading = title } of [...INSIDE.slice(1), ...INSIDE.slice(0, 1)]) {
    await menuLink(page, link).click();
    await expect(page.getByRole("heading", { level: 1, name: heading, exact: true })).toBeFocused();
    await expect(page).toHaveTitle(`${title} · Leadloom`);
  }
});

const isFocused = (target: Locator) =>
  target.evaluate(
    (element: { ownerDocument: { activeElement: unknown } }) => element.ownerDocument.activeElement === element,
  );

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, role: Parameters<Page["getByRole"]>[0], name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true }).first();
  await expect(wanted).toBeVisible();
  for (let steps = 0; steps < 120; steps++) {
    if (await isFocused(wanted)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached ${role} ${String(name)}.`);
}

test("logs in, filters, moves a lead and sends a bulk message by keyboard", async ({
  page,
  api,
  sandbox,
  subscriber,
}) => {
  await logIn(page, subscriber);
  await furnish(page, api, sandbox);
  await page.getByRole("button", { name: "Logout", exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);

  await tabTo(page, "textbox", "Email");
  await page.keyboard.type(subscriber.email);
  await tabTo(page, "textbox", "Password");
  await page.keyboard.type(subscriber.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);

  await tabTo(page, "link", "Leads");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row")).toHaveCount(25);
  await tabTo(page, "textbox", "Name");
  await page.keyboard.type("lovelace");
  await tabToApply(page);
  await expect(page.getByRole("row")).toHaveCount(5);

  const row = rowOf(page, "Ada Lovelace").first();
  await tabTo(page, "button", "Edit stage");
  await page.keyboard.press("Enter");
  await expect(row.getByRole("combobox")).toBeFocused();
  const before = await row.getByRole("combobox").evaluate((select: { selectedIndex: number }) => select.selectedIndex);
  await page.keyboard.press(before === 0 ? "ArrowDown" : "ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Lead stage updated", { exact: true })).toBeVisible();

  await tabTo(page, "link", "Bulk Message");
  await page.keyboard.press("Enter");
  await tabTo(page, "textbox", "Message");
  await page.keyboard.type("Our new hours: 9 to 5.");
  await tabTo(page, "button", "Send Bulk Message");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toBeVisible();
  await tabTo(page, "button", "OK");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Cancel Send", exact: true })).toBeVisible();
});

/** The filter button comes before the table, so Shift+Tab leads back to it. */
async function tabToApply(page: Page): Promise<void> {
  const apply = page.getByRole("button", { name: "Apply Filters", exact: true });
  for (let steps = 0; steps < 20; steps++) {
    if (await isFocused(apply)) break;
    await page.keyboard.press("Shift+Tab");
  }
  await page.keyboard.press("Enter");
}

test("fixes the menu from 768 pixels up and puts it behind a button below", async ({ page, subscriber, api }) => {
  expect(api.token).not.toBe("");
  await page.setViewportSize({ width: 768, height: 800 });
  await logIn(page, subscriber);
  const link = menuLink(page, "Leads");
  const button = page.getByRole("button", { name: "menu", exact: true });
  await expect(link).toBeVisible();
  await expect(button).toBeHidden();
  await page.setViewportSize({ width: 767, height: 800 });
  await expect(link).toBeHidden();
  await button.click();
  await link.click();
  await expect(page).toHaveURL(/\/leads$/);
  await expect(link).toBeHidden();
  await button.click();
  await page.setViewportSize({ width: 768, height: 800 });
  await page.getByRole("button", { name: "Refresh", exact: true }).click();
  await page.setViewportSize({ width: 767, height: 800 });
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await expect(link).toBeHidden();
});
