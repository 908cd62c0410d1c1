import type { Page } from "@playwright/test";
import { connectAccount, expect, logIn, menuLink, receiveLeads, test } from "./fixtures.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

test.beforeEach(async ({ page, subscriber }) => logIn(page, subscriber));

/** Switches automation on in the page, within the hours given. */
async function automate(page: Page, startHour: number, endHour: number) {
  await page.getByRole("switch", { name: "Automatic follow-ups" }).check();
  await page.getByLabel("Start hour").fill(String(startHour));
  await page.getByLabel("End hour").fill(String(endHour));
  await page.getByRole("button", { name: "Save Settings", exact: true }).click();
  await expect(page.getByText("Settings saved.")).toBeVisible();
}

async function addFollowup(page: Page, message: string, delayHours: number) {
  const form = page.getByRole("region", { name: "Add New Follow-up", exact: true });
  await form.getByLabel("Stage").selectOption({ label: "Initial Contact" });
  await form.getByLabel("Delay (hours)").fill(String(delayHours));
  await form.getByLabel("Message").fill(message);
  await form.getByRole("button", { name: "Add Follow-up", exact: true }).click();
  await expect(
    page
      .getByRole("region", { name: "Initial Contact", exact: true })
      .getByRole("textbox", { name: "Message", exact: true })
      .last(),
  ).toHaveValue(message);
}

const rowOf = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

test("automatic follow-ups go out when their time has come, and a reply stops the next", async ({
  page,
  sandbox,
  api,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  await page.goto("/followups");
  await automate(page, 0, 0);
  await addFollowup(page, "Did you have a look?", 1);
  await addFollowup(page, "Shall I call you?", 2);
  await shot("automation-on");
  const wroteAt = Math.floor((await sandbox.now()).getTime() / 1_000) * 1_000;
  const [ann, ben] = await receiveLeads(api, sandbox, phone, ["Ann", "Ben"]);
  const sent = async () => (await sandbox.sent(phone)).map(({ to_user_id, text }) => ({ to_user_id, text }));

  await sandbox.advance(HOUR - 120);
  await sandbox.advance(180);
  await expect.poll(async () => (await sent()).length).toBe(2);
  expect((await sent()).toSorted((a, b) => a.to_user_id - b.to_user_id)).toEqual(
    [ann, ben].map((id) => ({ to_user_id: id, text: "Did you have a look?" })),
  );
  for (const { at } of await sandbox.sent(phone)) expect(Date.parse(at)).toBeGreaterThanOrEqual(wroteAt + HOUR * 1_000);

  await sandbox.advance(60);
  await sandbox.receive(phone, { first_name: "Ann", user_id: ann ?? 0 }, "Yes, thank you!");
  await menuLink(page, "Leads").click();
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh", exact: true }).click();
    await expect(rowOf(page, "Ann").getByRole("cell", { name: "No", exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(rowOf(page, "Ben").getByRole("cell", { name: "Yes", exact: true })).toBeVisible();

  await sandbox.advance(2 * HOUR);
  await expect.poll(async () => (await sent()).slice(2)).toEqual([{ to_user_id: ben, text: "Shall I call you?" }]);
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh", exact: true }).click();
    await expect(rowOf(page, "Ben")).toContainText("2/2", { timeout: 1_000 });
  }).toPass();
  await expect(rowOf(page, "Ann")).toContainText("1/2");
  await shot("stopped-by-a-reply");
  await sandbox.advance(DAY);
  await sandbox.receive(phone, { first_name: "Cleo" }, "Hello");
  await sandbox.advance(HOUR + 60);
  await expect.poll(async () => (await sent()).slice(3).map(({ text }) => text)).toEqual(["Did you have a look?"]);
});

test("outside the allowed hours nothing goes out; it leaves after they begin", async ({ page, sandbox, api, shot }) => {
  const phone = await connectAccount(api, sandbox);
  const hour = (await sandbox.now()).getUTCHours();
  const [opens, closes] = [(hour + 4) % 24, (hour + 6) % 24];
  await page.goto("/followups");
  await automate(page, opens, closes);
  await addFollowup(page, "Good morning!", 1);
  await shot("hours");
  const [ann] = await receiveLeads(api, sandbox, phone, ["Ann"]);
  // Due an hour later, it is held until the hours begin.
  await sandbox.advance(2 * HOUR);
  await page.goto("/leads");
  await expect(rowOf(page, "Ann")).toContainText("0/1");
  const opening = new Date(await sandbox.now());
  opening.setUTCHours(opens, 0, 0, 0);
  if (opening < (await sandbox.now())) opening.setUTCDate(opening.getUTCDate() + 1);
  const left = Math.ceil((opening.getTime() - (await sandbox.now()).getTime()) / 1000);
  await sandbox.advance(left - 60);
  await sandbox.advance(60 + HOUR / 2);
  await expect.poll(() => sandbox.sent(phone)).toMatchObject([{ to_user_id: ann, text: "Good morning!" }]);
  const [message] = await sandbox.sent(phone);
  expect(new Date(message?.at ?? "").getTime()).toBeGreaterThanOrEqual(opening.getTime());
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh", exact: true }).click();
    await expect(rowOf(page, "Ann")).toContainText("1/1", { timeout: 1_000 });
  }).toPass();
  await shot("sent-within-hours");
});

test("a lead stuck in a stage is told of in the team's channel, once", async ({ page, sandbox, api, shot }) => {
  const phone = await connectAccount(api, sandbox);
  await page.goto("/followups");
  await automate(page, 0, 0);
  await menuLink(page, "Reminders").click();
  await expect(page.getByText("No reminders yet")).toBeVisible();
  await page.getByLabel("Stage name").fill("Initial Contact");
  await page.getByLabel("Channel ID").fill("@leadloom_team");
  await page.getByLabel("Delay in days").fill("1");
  await page.getByRole("button", { name: "Add Reminder" }).click();
  const rule = page.getByRole("listitem").filter({ hasText: "@leadloom_team" });
  await expect(rule).toContainText("Enabled");
  await shot("reminder");
  const wroteAt = Math.floor((await sandbox.now()).getTime() / 1_000) * 1_000;
  await receiveLeads(api, sandbox, phone, ["Ann"]);
  await sandbox.advance(DAY - 60);
  await sandbox.advance(120);
  const told = async () => (await sandbox.sent(phone)).map(({ text }) => text);
  await expect.poll(told).toEqual(["⏰ Lead Ann is stuck in stage Initial Contact."]);
  const [first] = await sandbox.sent(phone);
  expect(Date.parse(first?.at ?? "")).toBeGreaterThanOrEqual(wroteAt + DAY * 1_000);
  await receiveLeads(api, sandbox, phone, ["Ben"], 2);
  await sandbox.advance(DAY + 60);
  const both = ["Ann", "Ben"].map((name) => `⏰ Lead ${name} is stuck in stage Initial Contact.`);
  await expect.poll(told).toEqual(both);
  const chats = await sandbox.call<{ username: string | null; messages: { text: string }[] }[]>(
    "GET",
    `/telegram/accounts/${encodeURIComponent(phone)}/chats`,
  );
  expect(chats.find(({ username }) => username === "leadloom_team")?.messages.map(({ text }) => text)).toEqual(
    expect.arrayContaining(both),
  );

  // The page's own session outlived the move of the clock, too.
  await rule.getByRole("button", { name: "Toggle", exact: true }).click();
  await expect(rule).toContainText("Disabled");
  await page.reload();
  await expect(rule).toContainText("Disabled");
  await shot("reminder-off");
});
