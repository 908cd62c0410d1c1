import type { Locator, Page } from "@playwright/test";
import { connectAccount, expect, logIn, receiveLeads, rowOf, test } from "./fixtures.ts";
import { alert, answer, at, buttons, fill, addDeletables, press, toViews } from "./gestures.ts";

/** A write that the server refuses: what the user does, and the control next to which the message appears. */
type Attempt = {
  what: string;
  /** Opens the screen; without it, the attempt continues on the screen of the previous one. */
  open?: (page: Page) => Promise<unknown>;
  acts: ((page: Page) => Promise<unknown>)[];
  asks?: boolean;
  /** The spec's alert, which is shown first. */
  alerts?: string;
  /** The last action cannot be repeated to test it without a response. */
  isOnce?: true;
  control: string | RegExp | ((page: Page) => Locator);
};
const group = (page: Page) => page.getByRole("region", { name: "Initial Contact", exact: true });
const ATTEMPTS: Attempt[] = [
  {
    what: "stages saved",
    open: at("/stages"),
    acts: [fill("Name", "Newcomer"), press("Save Changes")],
    alerts: "Failed to save stages",
    control: "Save Changes",
  },
  {
    what: "a stage deleted",
    acts: [press("Delete Stage")],
    asks: true,
    alerts: "",
    control: "Delete Stage",
  },
  { what: "a follow-up deleted", open: at("/followups"), acts: [press("Delete")], control: "Delete" },
  {
    what: "a follow-up saved",
    acts: [
      (page) => group(page).getByLabel("Message", { exact: true }).first().fill("First?"),
      (page) => group(page).getByRole("button", { name: "Save Changes", exact: true }).click(),
    ],
    control: "Save Changes",
  },
  {
    what: "a follow-up added",
    acts: [
      (page) => page.getByLabel("Stage", { exact: true }).selectOption("Interested"),
      (page) =>
        page
          .getByRole("region", { name: "Add New Follow-up", exact: true })
          .getByLabel("Message", { exact: true })
          .fill("Third"),
      press("Add Follow-up"),
    ],
    control: "Add Follow-up",
  },
  {
    what: "follow-up settings saved",
    acts: [(page) => page.getByLabel("Start hour", { exact: true }).fill("7"), press("Save Settings")],
    control: "Save Settings",
  },
  { what: "a reminder deleted", open: at("/reminders"), acts: [press("Delete")], control: "Delete" },
  { what: "a reminder toggled", acts: [press("Toggle")], control: "Toggle" },
  {
    what: "a reminder added",
    acts: [
      (page) => page.getByLabel("Stage name", { exact: true }).fill("Interested"),
      (page) => page.getByLabel("Channel ID", { exact: true }).fill("@third_team"),
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
      (page) =>
        page
          .getByRole("region", { name: "Edit Field", exact: true })
          .getByRole("textbox", { name: "Name", exact: true })
          .fill("Three"),
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
    acts: [
      (page) => page.getByRole("checkbox", { name: "Sunday", exact: true }).press("Space"),
      press("Save Settings"),
    ],
    control: "Save Settings",
  },
];

/** The response to all writes: a refusal with this message, or no response when it is null. */
type Refusal = { status: number; message: string | null };
async function refuse(page: Page, refusal: () => Refusal): Promise<void> {
  await page.route(/\/api\//, async (route) => {
    if (route.request().method() === "GET") return route.fallback();
    const { status, message } = refusal();
    if (message === null) return route.abort();
    return route.fulfill({ status, json: { message, code: "conflict" } });
  });
}

const STATUSES = [409, 413, 415, 422];

/** Makes each attempt and expects its error message next to its control. */
async function attempt(page: Page, attempts: Attempt[]): Promise<void> {
  let refusal: Refusal = { status: 409, message: null };
  await refuse(page, () => refusal);
  for (const [index, { what, open, acts, asks = false, alerts, isOnce = false, control }] of attempts.entries())
    await test.step(what, async () => {
      const isShown = async (text: string) => {
        if (asks) await answer(page);
        if (alerts !== undefined) {
          await expect(alert(page)).toContainText(alerts);
          await answer(page);
        }
        const beside = typeof control === "function" ? control(page) : buttons(page, control).first();
        // Earlier attempts may still show the same message at their controls.
        const distance = async () => {
          const pressed = await beside.boundingBox();
          const places = await page.getByRole("main").getByText(text).all();
          const boxes = await Promise.all(places.map((message) => message.boundingBox()));
          return Math.min(...boxes.map((box) => Math.abs((box?.y ?? Infinity) - (pressed?.y ?? 0))));
        };
        await expect.poll(distance).toBeLessThan(300);
      };
      const message = `Refused: ${what}.`;
      refusal = { status: STATUSES[index % STATUSES.length] ?? 409, message };
      await open?.(page);
      for (const act of acts) await act(page);
      await isShown(message);
      if (isOnce) return;
      refusal = { status: 0, message: null };
      await acts.at(-1)?.(page);
      await isShown("No response from the server.");
      await expect(page.getByRole("main").getByText(message)).toHaveCount(0);
    });
}

test("shows a refused add, save, delete or toggle beside its control", async ({ page, api, subscriber }) => {
  await addDeletables(api);
  await logIn(page, subscriber);
  await attempt(page, ATTEMPTS);
});

const rowOfAnn = (page: Page) => rowOf(page, "Ann");
const flip = (name: string) => (page: Page) => page.getByRole("switch", { name, exact: true }).click();
const toggle = (name: string) => (page: Page) => page.getByRole("switch", { name, exact: true });
const RECEIPTS = "Show people that I have read their messages";
const CONTACTS = "Leave my Telegram contacts out";
const CONNECTED: Attempt[] = [
  {
    what: "the daily limit saved",
    open: at("/connect-telegram"),
    acts: [(page) => page.getByLabel("New contacts a day, at most", { exact: true }).fill("7"), press("Save limit")],
    control: "Save limit",
  },
  {
    what: "the dry run begun",
    open: at("/settings#automation"),
    acts: [flip("Dry run")],
    control: toggle("Dry run"),
  },
  { what: "read receipts switched", acts: [flip(RECEIPTS)], control: toggle(RECEIPTS) },
  {
    what: "contacts left out",
    open: at("/settings#people"),
    acts: [flip(CONTACTS)],
    asks: true,
    control: toggle(CONTACTS),
  },
  {
    what: "an exclusion ended",
    acts: [press(/^Restore/)],
    control: /^Restore/,
  },
  {
    what: "a lead moved",
    open: at("/leads"),
    acts: [
      (page) => rowOfAnn(page).getByRole("button", { name: "Edit stage", exact: true }).click(),
      (page) => rowOfAnn(page).getByRole("combobox", { name: "Stage", exact: true }).selectOption("Won"),
    ],
    alerts: "Failed to update stage",
    control: (page) => rowOfAnn(page).getByRole("combobox", { name: "Stage", exact: true }),
  },
  {
    what: "notes saved",
    isOnce: true,
    acts: [
      (page) => rowOfAnn(page).getByRole("textbox", { name: "Notes", exact: true }).fill("Likes tea"),
      (page) => rowOfAnn(page).getByRole("textbox", { name: "Notes", exact: true }).blur(),
    ],
    control: (page) => rowOfAnn(page).getByRole("textbox", { name: "Notes", exact: true }),
  },
  {
    what: "a bulk message queued",
    open: at("/bulk-message"),
    acts: [(page) => page.getByLabel("Message", { exact: true }).fill("Hello"), press("Send Bulk Message")],
    asks: true,
    alerts: "Failed to queue messages",
    control: "Send Bulk Message",
  },
];

test("shows a refusal on the account, the exclusions and in a lead's panel", async ({
  page,
  api,
  sandbox,
  subscriber,
}) => {
  const phone = await connectAccount(api, sandbox);
  await api.call("POST", "/tags", { name: "VIP" });
  for (const [index, name] of ["Interested", "Won"].entries())
    await api.call("POST", "/stages", { name, keywords: [`word ${name}`], order: index + 2, color: "#0b6e5f" });
  await receiveLeads(api, sandbox, phone, ["Ann", "Ben"]);
  const { leads } = await api.call<{ leads: { id: string; name: string }[] }>("GET", "/leads");
  const idOf = (name: string) => leads.find((lead) => lead.name === name)?.id ?? "";
  await api.call("POST", `/leads/${idOf("Ben")}/exclude`);
  await logIn(page, subscriber);
  await attempt(page, CONNECTED);

  await page.unroute(/\/api\//);
  const message = page.getByRole("main").getByText("Refused for this test.", { exact: true });
  await refuse(page, () => ({ status: 409, message: "Refused for this test." }));
  await page.goto(`/leads/${idOf("Ann")}`);
  await press("Add tag")(page);
  await expect(message).toHaveCount(1);
  await press("Hold")(page);
  await page
    .getByRole("form", { name: "Hold automatic messages", exact: true })
    .getByRole("button", { name: "Hold", exact: true })
    .click();
  await expect(message).toHaveCount(2);
});
