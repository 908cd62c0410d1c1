import type { Page } from "@playwright/test";
import type { Lead } from "../../domain/lead.ts";
import { type Api, connectAccount, expect, logIn, receiveLeads, test } from "./fixtures.ts";

const HOUR = 3_600;
const FIRST = "Did you have a look?";
const SECOND = "Shall I call you?";

test.beforeEach(async ({ page, subscriber }) => logIn(page, subscriber));

/** Automation at any hour, with two steps in the first stage. */
async function automate(api: Api) {
  await api.call("POST", "/user_settings", {
    auto_followups_enabled: true,
    auto_followup_start_hour: 0,
    auto_followup_end_hour: 0,
  });
  const [stage] = await api.call<{ id: string }[]>("GET", "/stages");
  for (const [order, message] of [FIRST, SECOND].entries())
    await api.call("POST", "/followups", undefined, {
      stage_id: stage?.id ?? "",
      message,
      followup_order: order,
      delay_hours: order + 1,
    });
}

async function openLead(page: Page, api: Api, name: string) {
  const { leads } = await api.call<{ leads: Lead[] }>("GET", `/leads?limit=10&name=${name}`);
  await page.goto(`/leads/${leads[0]?.id ?? ""}`);
  await expect(page.getByRole("heading", { name: /Next step/ })).toBeVisible();
}

const panel = (page: Page) => page.getByRole("complementary", { name: "Lead", exact: true });
const press = (page: Page, name: string) => panel(page).getByRole("button", { name, exact: true }).click();

test("a lead is held, resumed and skipped from its panel, and an opt-out counts before a bulk message and can be taken back", async ({
  page,
  sandbox,
  api,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  await automate(api);
  const [ann = 0, ben = 0, cleo = 0] = await receiveLeads(api, sandbox, phone, ["Ann", "Ben", "Cleo"]);
  const sentTo = async (id: number) =>
    (await sandbox.sent(phone)).filter(({ to_user_id }) => to_user_id === id).map(({ text }) => text);

  await openLead(page, api, "Ann");
  await expect(panel(page).getByText(FIRST)).toBeVisible();
  await press(page, "Hold");
  await panel(page).getByLabel("Until when").selectOption({ label: "Until I resume" });
  await shot("hold-form");
  await press(page, "Hold");
  await expect(panel(page).getByText("You hold this lead", { exact: false }).first()).toBeVisible();
  await expect(panel(page).getByRole("button", { name: "Hold", exact: true })).toHaveCount(0);
  await press(page, "Why not sent?");
  await shot("held");

  await openLead(page, api, "Cleo");
  await press(page, "Skip");
  await expect(panel(page).getByText(SECOND)).toBeVisible();

  await sandbox.advance(HOUR + 300);
  await expect.poll(() => sentTo(ben)).toEqual([FIRST]);
  expect([await sentTo(ann), await sentTo(cleo)]).toEqual([[], []]);

  await openLead(page, api, "Ann");
  await press(page, "Resume");
  await expect(panel(page).getByRole("button", { name: "Hold", exact: true })).toBeVisible();
  await sandbox.advance(300);
  await expect.poll(() => sentTo(ann)).toEqual([FIRST]);
  await sandbox.advance(2 * HOUR);
  await expect.poll(() => sentTo(cleo)).toEqual([SECOND]);

  await sandbox.receive(phone, { first_name: "Ben", user_id: ben }, "STOP");
  await openLead(page, api, "Ben");
  await expect(async () => {
    await press(page, "Why not sent?");
    await expect(panel(page).getByText("asked for no more messages", { exact: false }).first()).toBeVisible({
      timeout: 1_000,
    });
  }).toPass();
  await shot("opted-out");

  await page.goto("/bulk-message");
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("News");
  await page.getByRole("button", { name: "Send Bulk Message", exact: true }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("Send this message to ALL your leads (3 leads, every stage)?");
  await expect(question).toContainText("2 of 3 leads can be reached.");
  await expect(question).toContainText("Skipped: 1.");
  await shot("bulk-question");
  await question.getByRole("button", { name: "Cancel", exact: true }).click();

  await openLead(page, api, "Ben");
  await press(page, "Resume");
  await expect(panel(page).getByText("resume only if they agree", { exact: false })).toHaveCount(0);
  await expect(panel(page).getByRole("button", { name: "Hold", exact: true })).toBeVisible();
});

test("a follow-up by hand to someone who opted out is asked about first, and the opt-out stays shown", async ({
  page,
  sandbox,
  api,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  await automate(api);
  const [dee = 0] = await receiveLeads(api, sandbox, phone, ["Dee"]);
  await page.goto("/leads");
  const row = page.getByRole("row", { name: /Dee/ });
  const mark = row.getByText("Opted out", { exact: true });
  const send = row.getByRole("button", { name: "Send Follow-Up", exact: true });
  await expect(send).toBeVisible();
  await expect(mark).toHaveCount(0);
  await sandbox.receive(phone, { first_name: "Dee", user_id: dee }, "stop");
  await expect(mark).toBeVisible();
  const question = page.getByRole("alertdialog", {
    name: "This person asked for no more messages. Send this follow-up anyway?",
  });
  await send.click();
  await question.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect(send).toBeFocused();
  expect(await sandbox.sent(phone)).toEqual([]);
  await send.click();
  await shot("opted-out-question");
  await question.getByRole("button", { name: "OK", exact: true }).click();
  await expect(row.getByText("Follow-up sent!")).toBeVisible();
  await expect(mark).toBeVisible();
  await openLead(page, api, "Dee");
  await expect(panel(page).getByText("Opted out", { exact: true })).toBeVisible();
});

test("settings are kept when typed, saved, and a dry run is left over what it would have sent", async ({
  page,
  sandbox,
  api,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  await automate(api);
  await page.goto("/settings");
  const words = page.getByLabel("Opt-out words");
  await expect(words).toHaveValue("stop\nunsubscribe");
  await words.fill("stop\nhalt");
  await page.reload();
  await expect(words).toHaveValue("stop\nhalt");
  await page.getByRole("combobox", { name: "Time zone", exact: true }).selectOption("Europe/Berlin");
  await page.getByRole("button", { name: "Save Settings", exact: true }).click();
  await expect(page.getByText("Settings saved.")).toBeVisible();
  expect(await api.call("GET", "/settings")).toMatchObject({
    time_zone: "Europe/Berlin",
    opt_out_words: ["stop", "halt"],
  });

  const dryRun = page.getByRole("switch", { name: "Dry run" });
  await dryRun.check();
  // Only the banner says that it is on; the switch says beforehand what it would do.
  await expect(page.getByRole("button", { name: "Leave dry run", exact: true })).toBeVisible();
  await expect(page.getByText("none leaves.").first()).toBeVisible();
  await receiveLeads(api, sandbox, phone, ["Ann"]);
  await sandbox.advance(HOUR + 300);
  await expect.poll(() => api.call("GET", "/ledger?state=would_send")).toMatchObject({ items: [{ kind: "followup" }] });
  expect(await sandbox.sent(phone)).toEqual([]);
  await shot("settings-dry-run");
  await page.goto("/leads");
  await page.getByRole("button", { name: "Leave dry run", exact: true }).click();
  await expect(page.getByText(FIRST, { exact: true })).toBeVisible();
  await shot("dry-run-review");
  await page.getByRole("button", { name: "Send from now on", exact: true }).click();
  await expect(page.getByRole("button", { name: "Leave dry run", exact: true })).toHaveCount(0);
  await sandbox.advance(300);
  expect(await sandbox.sent(phone)).toEqual([]);
  await page.goto("/followups");
  await expect(page.getByText("Allowed hours (Europe/Berlin)")).toBeVisible();
  await page.getByLabel("End hour").fill("22");
  await expect(
    page.getByText(/Start: 00:00 Europe\/Berlin, \d\d:\d\d your time. End: 22:00 Europe\/Berlin/),
  ).toBeVisible();
  await shot("followups-hours");
});

test("edited keywords are tried on what people wrote before they are saved", async ({ page, sandbox, api, shot }) => {
  const phone = await connectAccount(api, sandbox);
  await receiveLeads(api, sandbox, phone, ["Ann"]);
  const ben = await sandbox.receive(phone, { first_name: "Ben" }, "Good morning");
  await expect.poll(() => api.call("GET", "/leads?limit=1")).toMatchObject({ total: 2 });
  // The first words of a person never move them.
  await sandbox.receive(phone, { first_name: "Ben", user_id: ben.user_id }, "What is the <b>price</b> of it?");
  const { leads } = await api.call<{ leads: Lead[] }>("GET", "/leads?limit=1&name=Ben");
  await expect
    .poll(
      async () => (await api.call<{ messages: unknown[] }>("GET", `/leads/${leads[0]?.id}/messages`)).messages.length,
    )
    .toBe(2);
  await page.goto("/stages");
  await page.getByRole("button", { name: "Add Stage", exact: true }).click();
  const row = page.getByRole("row").last();
  await row.getByLabel("Name").fill("Interested");
  await row.getByLabel("Keywords").fill("price");
  await page.getByRole("button", { name: "Try these words on the last 90 days" }).click();
  await expect(page.locator("mark", { hasText: "price" })).toBeVisible();
  await expect(page.getByText("goes to Interested")).toBeVisible();
  await shot("keyword-lab");
  await row.getByLabel("Keywords").fill("price, hello");
  await expect(page.getByText("The words were edited since: these figures are of before.")).toBeVisible();
  await shot("keyword-lab-stale");
});
