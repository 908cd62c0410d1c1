import type { Locator, Page } from "@playwright/test";
import {
  type Api,
  connectByCode,
  expect,
  graveFaults,
  logIn,
  menuLink,
  newPhone,
  type Sandbox,
  test,
} from "./fixtures.ts";

const LOOKS = [
  { name: "a wide screen, light", width: 1280, height: 800, colorScheme: "light" },
  { name: "a wide screen, dark", width: 1280, height: 800, colorScheme: "dark" },
  { name: "a phone, light", width: 390, height: 844, colorScheme: "light" },
  { name: "a phone, dark", width: 390, height: 844, colorScheme: "dark" },
  { name: "a window of 1280 pixels zoomed to 200 %", width: 640, height: 400, colorScheme: "light" },
] as const;

type Screen = { path: string; title: string; heading: string | RegExp; level?: number };
const OUTSIDE: Screen[] = [
  { path: "/login", title: "Log in", heading: "Log in" },
  { path: "/signup", title: "Sign up", heading: "Sign Up" },
  { path: "/forgot-password", title: "Forgot password", heading: /password/i },
];
const INSIDE: (Screen & { link: string })[] = [
  { path: "/dashboard", link: "Dashboard", title: "Dashboard", heading: /^Welcome, / },
  { path: "/inbox", link: "Inbox", title: "Inbox", heading: "Inbox" },
  { path: "/leads", link: "Leads", title: "Leads", heading: "Leads" },
  { path: "/stages", link: "Stages", title: "Manage Stages", heading: "Manage Stages" },
  { path: "/followups", link: "Follow-up Settings", title: "Follow-up Settings", heading: "Follow-up Settings" },
  { path: "/reminders", link: "Reminders", title: "Reminder Rules", heading: "Reminder Rules" },
  { path: "/snippets", link: "Snippets", title: "Snippets", heading: "Snippets" },
  { path: "/settings", link: "Settings", title: "Settings", heading: "Settings" },
  { path: "/bulk-message", link: "Bulk Message", title: "Bulk Message", heading: "Bulk Message Sender" },
  { path: "/activity", link: "Activity", title: "Activity", heading: "Activity" },
  { path: "/stats", link: "Stats", title: "Stats", heading: "Stats" },
  { path: "/connect-telegram", link: "Connect Telegram", title: "Connect Telegram", heading: "Connect Telegram" },
  { path: "/subscribe", link: "Billing", title: "Billing", heading: "Billing" },
];
const FIRST_SETTLED: Record<string, string> = {
  "/leads": "Ada Lovelace",
  "/stages": "Move Up",
  "/followups": "Add New Follow-up",
  "/reminders": "Toggle",
  "/stats": "Stage-to-Stage Conversion",
  "/connect-telegram": "Disconnect",
};

const NAMES: [first: string, last?: string][] = [
  ["Ada", "Lovelace"],
  ["עדה", "לאבלייס"],
  ["عائشة", "بنت عبد الرحمن"],
  ["👩🏽‍🚀🎉", "🦄🦄🦄"],
  ["Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissen", "Hubert-Blaine".repeat(3)],
  ["山田", "太郎"],
];

/** A few dozen leads whose names try the layout, two stages, a follow-up, a reminder. */
async function furnish(page: Page, api: Api, sandbox: Sandbox): Promise<void> {
  const phone = newPhone();
  await connectByCode(page, sandbox, phone);
  // The first reading gives a new account its 'Initial Contact'.
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
    const words = index % 3 === 0 ? "What is the price?" : "Hello";
    await sandbox.receive(phone, { first_name, ...(last_name === undefined ? {} : { last_name }) }, words);
  }
  await expect.poll(async () => (await api.call<{ total: number }>("GET", "/leads?limit=1")).total).toBe(24);
}

/** Asserts what holds on every screen: its title, nothing serious for axe, nothing beyond the page's sides. */
async function expectSound(page: Page, { title, heading, level = 1 }: Screen): Promise<void> {
  await expect(page.getByRole("heading", { level, name: heading }).first()).toBeVisible();
  await expect(page).toHaveTitle(`${title} · Leadloom`);
  expect(await graveFaults(page), title).toEqual([]);
  const width = await page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
  const [whole, seen] = width as [number, number];
  expect(whole, `${title} scrolls sideways`).toBeLessThanOrEqual(seen);
}

/** Counts what the page's own policy had to refuse, over all its loads. */
async function countViolations(page: Page): Promise<string[]> {
  const refused: string[] = [];
  await page.exposeFunction("reportRefusal", (what: string) => refused.push(what));
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (e) => reportRefusal(`${e.violatedDirective} ${e.blockedURI}`))",
  );
  return refused;
}

for (const { name, width, height, colorScheme } of LOOKS) {
  test(`every screen is named, free of grave faults for axe, within its sides and its policy on ${name}`, async ({
    page,
    api,
    sandbox,
    subscriber,
    shot,
  }) => {
    const refused = await countViolations(page);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const screen of OUTSIDE) {
      await page.setViewportSize({ width, height });
      await page.goto(screen.path);
      await expectSound(page, screen);
    }
    await logIn(page, subscriber);
    await furnish(page, api, sandbox);
    for (const screen of INSIDE) {
      await page.goto(screen.path);
      const settled = FIRST_SETTLED[screen.path];
      if (settled !== undefined) {
        const main = page.getByRole("main");
        await expect(main.getByText(settled).or(main.getByLabel(settled)).first()).toBeVisible();
      }
      await expectSound(page, screen);
      await shot(screen.path.slice(1));
    }
    const [lead] = (await api.call<{ leads: { id: string; name: string }[] }>("GET", "/leads?limit=1")).leads;
    await page.goto(`/leads/${lead?.id ?? ""}`);
    await expect(page.getByRole("region", { name: "Conversation", exact: true }).getByRole("listitem")).toHaveCount(1);
    await expectSound(page, { path: "", title: lead?.name ?? "", heading: lead?.name ?? "", level: 2 });
    await shot("conversation");
    await page.route("**/api/billing/**", () => undefined);
    // The screen is there for eight seconds.
    await expect(async () => {
      await page.goto("/billing/success?session_id=cs_test");
      await expectSound(page, { path: "", title: "Finalizing", heading: "🎉 Finalizing your subscription..." });
    }).toPass();
    await page.unroute("**/api/billing/**");
    await sandbox.subscribe(subscriber.email, "canceled");
    await page.goto("/subscribe");
    await expect(page.getByText("🚫 Subscription Required")).toBeVisible();
    await expectSound(page, { path: "", title: "Billing", heading: "Billing" });
    expect(refused).toEqual([]);
  });
}

test("the focus goes to the heading of each screen the menu leads to", async ({ page, subscriber, api }) => {
  expect(api.token).not.toBe("");
  await logIn(page, subscriber);
  for (const { link, heading, title } of [...INSIDE.slice(1), ...INSIDE.slice(0, 1)]) {
    await menuLink(page, link).click();
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeFocused();
    await expect(page).toHaveTitle(`${title} · Leadloom`);
  }
});

const isFocused = (target: Locator) =>
  target.evaluate(
    (element: { ownerDocument: { activeElement: unknown } }) => element.ownerDocument.activeElement === element,
  );

/** Moves on with Tab until the focus stands on the element, as someone without a mouse does. */
async function tabTo(page: Page, role: Parameters<Page["getByRole"]>[0], name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true }).first();
  await expect(wanted).toBeVisible();
  for (let steps = 0; steps < 120; steps++) {
    if (await isFocused(wanted)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached ${role} ${String(name)}.`);
}

test("a keyboard alone logs in, filters leads, moves one to another stage and sends a bulk message", async ({
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

  const row = page.getByRole("row", { name: /Lovelace/ }).first();
  await tabTo(page, "button", "Edit stage");
  await page.keyboard.press("Enter");
  await expect(row.getByRole("combobox")).toBeFocused();
  const before = await row.getByRole("combobox").evaluate((select: { selectedIndex: number }) => select.selectedIndex);
  await page.keyboard.press(before === 0 ? "ArrowDown" : "ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Lead stage updated")).toBeVisible();

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

/** The filters' button stands before the table: back to it with Shift and Tab. */
async function tabToApply(page: Page): Promise<void> {
  const apply = page.getByRole("button", { name: "Apply Filters", exact: true });
  for (let steps = 0; steps < 20; steps++) {
    if (await isFocused(apply)) break;
    await page.keyboard.press("Shift+Tab");
  }
  await page.keyboard.press("Enter");
}

test("the menu is fixed from 768 pixels up and behind its button below", async ({ page, subscriber, api }) => {
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

test("an edited follow-up is said to be saved, in its group and in a toast", async ({ page, api, subscriber }) => {
  const [stage] = await api.call<{ id: string }[]>("GET", "/stages");
  const fields = { stage_id: stage?.id ?? "", message: "Hello?", followup_order: 0, delay_hours: 24 };
  await api.call("POST", "/followups", undefined, fields);
  await logIn(page, subscriber);
  await page.goto("/followups");
  const group = page.getByRole("region", { name: "Initial Contact", exact: true });
  await group.getByRole("textbox", { name: /message/i }).fill("Are you there?");
  await group.getByRole("button", { name: "Save Changes", exact: true }).click();
  await expect(page.getByText("Follow-up edited successfully.")).toBeVisible();
  await expect(group.getByText("Changes saved.")).toBeVisible();
  const [saved] = await api.call<{ message: string; delay_hours: number }[]>("GET", "/followups");
  expect([saved?.message, saved?.delay_hours]).toEqual(["Are you there?", 24]);
});
