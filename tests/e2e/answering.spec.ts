import type { InboxPage } from "../../domain/inbox.ts";
import { PNG } from "../support/files.ts";
import { expect, logIn, menuLink, test } from "./fixtures.ts";

const KEYWORD = "how much is it";
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

test("shows the lead's panel, answers with a snippet and restarts the follow-up delay", async ({
  page,
  api,
  sandbox,
  phone,
  subscriber,
}) => {
  await page.setViewportSize(WIDE);
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
  // The follow-up would be due now if she had not written again.
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
  await expect(story).toContainText(`\u2068Initial Contact\u2069 → \u2068Interested\u2069Moved by the word ${KEYWORD}`);
  expect(await sandbox.sent(phone)).toEqual([]);

  await page.keyboard.press("r");
  const box = talk.getByRole("textbox", { name: "Reply", exact: true });
  await box.fill("/pri");
  await expect(page.getByRole("option", { name: /Price/ })).toBeVisible();
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
  await panel.getByRole("heading", { name: "Ann Lee", exact: true }).click();
  await expect(story).toContainText("Notes changed");
  await page.setViewportSize(NARROW);
  await page.goto(`${page.url()}#lead`);
  await expect(story).toBeVisible();

  const sent = async () => (await sandbox.sent(phone)).map(({ text }) => text);
  await sandbox.advance(3_000);
  expect(await sent()).toEqual(["Dear Ann, ten euros."]);
  await sandbox.advance(900);
  await expect.poll(sent).toEqual(["Dear Ann, ten euros.", "Still thinking, Ann?"]);
});
