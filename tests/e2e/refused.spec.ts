import type { Locator, Page } from "@playwright/test";
import { addStages, expect, logIn, rowOf, test } from "./fixtures.ts";
import { alert, answer, at, buttons, fill, addDeletables, press, toViews } from "./gestures.ts";

/** A write that the server refuses: what the user does, and the control next to which the message appears. */
type Attempt = {
  what: string;
  /** Opens the screen; without it, the attempt continues on the screen of the previous one. */
  open?: (page: Page) => Promise<unknown>;
  /** What comes before the last action. */
  first?: ((page: Page) => Promise<unknown>)[];
  /** The button to press, or the control and what is done with it. */
  last: string | RegExp | { control: (page: Page) => Locator; act: (control: Locator) => Promise<unknown> };
  asks?: boolean;
  /** The spec's alert, which is shown first. */
  alerts?: string;
  /** The last action cannot be repeated to test it without a response. */
  isOnce?: true;
};
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const labelled = (label: string, text: string) => (page: Page) => page.getByLabel(label, { exact: true }).fill(text);
const ATTEMPTS: Attempt[] = [
  {
    what: "stages saved",
    open: at("/stages"),
    first: [fill("Name", "Newcomer")],
    last: "Save Changes",
    alerts: "Failed to save stages",
  },
  { what: "a stage deleted", last: "Delete Stage", asks: true, alerts: "" },
  { what: "a follow-up deleted", open: at("/followups"), last: "Delete" },
  {
    what: "a follow-up saved",
    first: [(page) => region(page, "Initial Contact").getByLabel("Message", { exact: true }).first().fill("First?")],
    last: {
      control: (page) => region(page, "Initial Contact").getByRole("button", { name: "Save Changes", exact: true }),
      act: (save) => save.click(),
    },
  },
  {
    what: "a follow-up added",
    first: [
      (page) => page.getByLabel("Stage", { exact: true }).selectOption("Interested"),
      (page) => region(page, "Add New Follow-up").getByLabel("Message", { exact: true }).fill("Third"),
    ],
    last: "Add Follow-up",
  },
  { what: "follow-up settings saved", first: [labelled("Start hour", "7")], last: "Save Settings" },
  { what: "a reminder deleted", open: at("/reminders"), last: "Delete" },
  { what: "a reminder toggled", last: "Toggle" },
  {
    what: "a reminder added",
    first: [labelled("Stage name", "Interested"), labelled("Channel ID", "@third_team")],
    last: "Add Reminder",
    alerts: "Error adding reminder",
  },
  { what: "a snippet deleted", open: at("/snippets"), last: /^Delete Snippet/, asks: true },
  {
    what: "a snippet added",
    first: [press("Add Snippet"), fill("Title", "Three"), fill("Text", "Hello")],
    last: "Save Snippet",
  },
  { what: "a view deleted", open: toViews, last: /^Delete View/ },
  { what: "a view added", first: [press("Add View"), fill("Name", "Three")], last: "Save View" },
  { what: "a tag deleted", open: at("/settings#people"), last: /^Delete Tag/ },
  { what: "a tag added", first: [press("Add Tag"), fill("Name", "Three")], last: "Save Tag" },
  { what: "a field deleted", last: /^Delete Field/ },
  {
    what: "a field saved",
    first: [
      press(/^Edit Field/),
      (page) => region(page, "Edit Field").getByRole("textbox", { name: "Name", exact: true }).fill("Three"),
    ],
    last: "Save Field",
  },
  { what: "a key revoked", open: at("/settings#keys"), last: /^Revoke/, asks: true },
  { what: "a key created", first: [press("New key"), fill("Name", "Three")], last: "Create key" },
  { what: "a webhook deleted", open: at("/settings#webhooks"), last: /^Delete https/, asks: true },
  { what: "a webhook enabled", last: /^Enable/ },
  {
    what: "a webhook saved",
    first: [press(/^Edit https/), fill("Address", "https://three.example.com/")],
    last: "Save webhook",
  },
  {
    what: "settings saved",
    open: at("/settings#automation"),
    first: [(page) => page.getByRole("checkbox", { name: "Sunday", exact: true }).press("Space")],
    last: "Save Settings",
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
  for (const [index, { what, open, first = [], last, asks = false, alerts, isOnce = false }] of attempts.entries())
    await test.step(what, async () => {
      const isButton = typeof last === "string" || last instanceof RegExp;
      const control = isButton ? buttons(page, last).first() : last.control(page);
      const act = () => (isButton ? control.click() : last.act(control));
      const isShown = async (text: string) => {
        if (asks) await answer(page);
        if (alerts !== undefined) {
          await expect(alert(page)).toContainText(alerts);
          await answer(page);
        }
        // Earlier attempts may still show the same message at their controls.
        const distance = async () => {
          const pressed = await control.boundingBox();
          const places = await page.getByRole("main").getByText(text).all();
          const boxes = await Promise.all(places.map((message) => message.boundingBox()));
          return Math.min(...boxes.map((box) => Math.abs((box?.y ?? Infinity) - (pressed?.y ?? 0))));
        };
        await expect.poll(distance).toBeLessThan(300);
      };
      const message = `Refused: ${what}.`;
      refusal = { status: STATUSES[index % STATUSES.length] ?? 409, message };
      await open?.(page);
      for (const prepare of first) await prepare(page);
      await act();
      await isShown(message);
      if (isOnce) return;
      refusal = { status: 0, message: null };
      await act();
      await isShown("No response from the server.");
      await expect(page.getByRole("main").getByText(message)).toHaveCount(0);
    });
}

test("shows a refused add, save, delete or toggle beside its control", async ({ page, api, subscriber }) => {
  await addDeletables(api);
  await logIn(page, subscriber);
  await attempt(page, ATTEMPTS);
});

const inRowOfAnn = (role: "combobox" | "textbox", name: string) => (page: Page) =>
  rowOf(page, "Ann").getByRole(role, { name, exact: true });
const flip = (name: string): Attempt["last"] => ({
  control: (page) => page.getByRole("switch", { name, exact: true }),
  act: (control) => control.click(),
});
const CONNECTED: Attempt[] = [
  {
    what: "the daily limit saved",
    open: at("/connect-telegram"),
    first: [labelled("New contacts a day, at most", "7")],
    last: "Save limit",
  },
  { what: "the dry run begun", open: at("/settings#automation"), last: flip("Dry run") },
  { what: "read receipts switched", last: flip("Show people that I have read their messages") },
  { what: "contacts left out", open: at("/settings#people"), last: flip("Leave my Telegram contacts out"), asks: true },
  { what: "an exclusion ended", last: /^Restore/ },
  {
    what: "a lead moved",
    open: at("/leads"),
    first: [(page) => rowOf(page, "Ann").getByRole("button", { name: "Edit stage", exact: true }).click()],
    last: { control: inRowOfAnn("combobox", "Stage"), act: (stage) => stage.selectOption("Won") },
    alerts: "Failed to update stage",
  },
  {
    what: "notes saved",
    isOnce: true,
    first: [(page) => inRowOfAnn("textbox", "Notes")(page).fill("Likes tea")],
    last: { control: inRowOfAnn("textbox", "Notes"), act: (notes) => notes.blur() },
  },
  {
    what: "a bulk message queued",
    open: at("/bulk-message"),
    first: [labelled("Message", "Hello")],
    last: "Send Bulk Message",
    asks: true,
    alerts: "Failed to queue messages",
  },
];

test("shows a refusal on the account, the exclusions and in a lead's panel", async ({
  page,
  api,
  subscriber,
  receiveLeads,
}) => {
  await api.call("POST", "/tags", { name: "VIP" });
  await addStages(api, "Interested", "Won");
  await receiveLeads(["Ann", "Ben"]);
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
