import type { InboxPage } from "../../domain/inbox.ts";
import { PNG } from "../support/files.ts";
import { openAssistant } from "../server/mcp/support.ts";
import { connectAccount, expect, logIn, menuLink, test } from "./fixtures.ts";

const KEYWORD = "how much is it";
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

test("beside the conversation stand stage, step and story; a snippet answers, and the follow-up's clock starts from the answer", async ({
  page,
  api,
  sandbox,
  subscriber,
  shot,
}) => {
  await page.setViewportSize(WIDE);
  const phone = await connectAccount(api, sandbox);
  await api.call("GET", "/stages");
  const stage = { name: "Interested", keywords: [KEYWORD], order: 2, color: "#c77700" };
  const { id: stageId } = await api.call<{ id: string }>("POST", "/stages", stage);
  const step = { stage_id: stageId, message: "Still thinking, {first_name|friend}?", delay_hours: 1 };
  await api.call("POST", "/followups", undefined, step);
  const hours = { auto_followup_start_hour: 0, auto_followup_end_hour: 0 };
  await api.call("POST", "/user_settings", { auto_followups_enabled: true, ...hours });
  await api.call("POST", "/snippets", { title: "Price", text: "Dear {first_name|friend}, ten euros." });
  const from = { first_name: "Ann", last_name: "Lee", username: "ann_l" };
  const { user_id: ann } = await sandbox.receive(phone, from, "Hello!");
  await sandbox.receive(phone, { ...from, user_id: ann }, `Tell me, ${KEYWORD}?`);
  const unread = () => api.call<InboxPage>("GET", "/inbox").then(({ items }) => items[0]?.unread);
  await expect.poll(unread).toEqual(2);
  await sandbox.advance(1_800);
  await sandbox.receive(phone, { ...from, user_id: ann }, "Are you there?");
  await expect.poll(unread).toEqual(3);
  // The follow-up would be due by now, had she not written again.
  await sandbox.advance(2_400);

  await logIn(page, subscriber);
  await menuLink(page, "Inbox").click();
  await page.getByRole("searchbox").fill("there");
  await page.getByRole("searchbox").press("Enter");
  await page
    .getByRole("region", { name: "Conversations", exact: true })
    .getByRole("link", { name: /Ann Lee/ })
    .click();
  const talk = page.getByRole("region", { name: "Conversation", exact: true });
  await expect(talk.locator("mark")).toHaveText(KEYWORD);
  const panel = page.getByRole("complementary", { name: "Lead", exact: true });
  await expect(panel.getByRole("region", { name: "Stage", exact: true })).toContainText("Interested");
  const next = panel.getByRole("region", { name: /Next step/ });
  await expect(next).toContainText("Still thinking, Ann?");
  await expect(next).toContainText("This person wrote after your last message, so nothing goes out by itself");
  const story = panel.getByRole("region", { name: "Story", exact: true });
  await expect(story).toContainText(`Initial Contact → InterestedMoved by the word ${KEYWORD}`);
  expect(await sandbox.sent(phone)).toEqual([]);
  await shot("waiting-wide");

  await page.keyboard.press("r");
  const box = talk.getByRole("textbox", { name: "Reply", exact: true });
  await box.fill("/pri");
  await expect(page.getByRole("option", { name: /Price/ })).toBeVisible();
  await shot("snippets-wide");
  await box.press("Enter");
  await expect(box).toHaveValue("Dear Ann, ten euros.");
  await talk
    .locator('input[type="file"]')
    .setInputFiles({ name: "price.png", mimeType: "image/png", buffer: Buffer.from(PNG) });
  await box.press("Control+Enter");
  await expect(story).toContainText("Answer sent");
  await expect(next).toContainText("The follow-up goes out by itself then");
  expect(await sandbox.sent(phone)).toMatchObject([
    { to_user_id: ann, text: "Dear Ann, ten euros.", media_type: "photo" },
  ]);
  await expect.poll(() => api.call("GET", "/inbox/counts")).toEqual({ waiting: 0, unread: 0 });

  await panel.getByRole("textbox", { name: "Notes", exact: true }).fill("Wants the blue one");
  await panel.getByRole("heading", { name: "Ann Lee" }).click();
  await expect(story).toContainText("Notes changed");
  await page.emulateMedia({ colorScheme: "dark" });
  await shot("answered-wide-dark");
  await page.setViewportSize(NARROW);
  await shot("conversation-narrow-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(`${page.url()}#lead`);
  await expect(story).toBeVisible();
  await shot("panel-narrow");

  const sent = async () => (await sandbox.sent(phone)).map(({ text }) => text);
  await sandbox.advance(3_000);
  expect(await sent()).toEqual(["Dear Ann, ten euros."]);
  await sandbox.advance(900);
  await expect.poll(sent).toEqual(["Dear Ann, ten euros.", "Still thinking, Ann?"]);
});

test("existing chats become leads from the empty inbox; snippets and previews have their place", async ({
  page,
  api,
  sandbox,
  subscriber,
  shot,
}) => {
  await page.setViewportSize(WIDE);
  const phone = await connectAccount(api, sandbox);
  const account = `/telegram/accounts/${encodeURIComponent(phone)}`;
  await sandbox.call("POST", `${account}/dialogs`, { count: 12, days: 5 });
  await sandbox.fault(phone, { method: "messages.getHistory", error: "FLOOD_WAIT_600" });
  await logIn(page, subscriber);
  await page.goto("/inbox?view=all");
  await expect(page.getByText("No conversations yet")).toBeVisible();
  await shot("empty-inbox-wide");
  await page.getByRole("button", { name: "Import chats", exact: true }).click();
  await expect(page.getByText(/Telegram asks to wait until/)).toBeVisible();
  await shot("import-paused-wide");
  await sandbox.advance(601);
  await page.goto("/connect-telegram");
  await expect(page.getByText(/The last import ended on .*: 12 chats looked at, 12 are leads now\./)).toBeVisible({
    timeout: 60_000,
  });
  await shot("import-done-wide");

  await page.goto("/snippets");
  await page.getByRole("button", { name: "Add Snippet", exact: true }).click();
  await page.getByLabel("Title", { exact: true }).fill("Greeting");
  await page.getByLabel("Text", { exact: true }).fill("Hi {first_name|friend}, welcome to {stage}!");
  await expect(page.getByText(/would read:/)).toBeVisible();
  await shot("snippet-editor-wide");
  await page.setViewportSize(NARROW);
  await page.emulateMedia({ colorScheme: "dark" });
  await shot("snippet-editor-narrow-dark");
  await page.getByRole("button", { name: "Save Snippet", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Greeting" })).toBeVisible();
  await shot("snippets-narrow-dark");
  await page.getByRole("button", { name: "Delete Greeting" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "OK", exact: true }).click();
  await expect(page.getByText("No snippets yet")).toBeVisible();
});

test("an assistant's draft stands in the open composer, and what is typed there stays", async ({
  page,
  api,
  sandbox,
  product,
  subscriber,
  shot,
}) => {
  await page.setViewportSize(WIDE);
  const phone = await connectAccount(api, sandbox);
  await sandbox.receive(phone, { first_name: "Ann" }, "How much is it?");
  const leadOf = () => api.call<InboxPage>("GET", "/inbox").then(({ items }) => items[0]?.lead.id);
  await expect.poll(leadOf).toBeDefined();
  const lead = await leadOf();
  const { secret } = await api.call<{ secret: string }>("POST", "/keys", { name: "Helper", scopes: ["read", "write"] });
  const assistant = await openAssistant(product, secret);
  const draft = (text: string) => assistant.call("draft_reply", { lead_id: lead, text });
  await logIn(page, subscriber);
  await page.goto(`/leads/${lead}`);
  const box = page.getByRole("textbox", { name: "Reply", exact: true });
  await expect(box).toHaveValue("");
  await draft("It costs ten euros, dear Ann.");
  await expect(box).toHaveValue("It costs ten euros, dear Ann.");
  await page.reload();
  await expect(box).toHaveValue("It costs ten euros, dear Ann.");
  await draft("Ten euros, Ann.");
  await expect(box).toHaveValue("Ten euros, Ann.");
  await shot("drafted-wide");
  await box.fill("Ten euros, Ann. Shall I send it?");
  const kept = () => api.call<{ draft: string | null }>("GET", `/leads/${lead}`).then((told) => told.draft);
  await expect.poll(kept).toEqual("Ten euros, Ann. Shall I send it?");
  await draft("Nine euros!");
  await assistant.call("note_lead", { lead_id: lead, note: "Told the price." });
  await expect(page.getByRole("textbox", { name: "Notes", exact: true })).toHaveValue("Told the price.");
  await expect(box).toHaveValue("Ten euros, Ann. Shall I send it?");
  const told = page.getByText("Another draft was written meanwhile: Nine euros!");
  await expect(told).toBeVisible();
  await shot("contested-wide");
  await page.setViewportSize(NARROW);
  await shot("contested-narrow");
  await page.getByRole("button", { name: "Use it instead", exact: true }).click();
  await expect(box).toHaveValue("Nine euros!");
  await expect(box).toBeFocused();
  await expect(told).toHaveCount(0);
  expect(await kept()).toEqual("Nine euros!");
  expect(await sandbox.sent(phone)).toEqual([]);
  await assistant.close();
});
