import { PNG } from "../support/files.ts";
import { expect, logIn, menuLink, test } from "./fixtures.ts";

const KEYWORD = "how much is it";

test("counts a lead who writes as waiting until a picture is sent as reply", async ({
  page,
  api,
  sandbox,
  phone,
  subscriber,
}) => {
  await api.call("GET", "/stages");
  const stage = { name: "Interested", keywords: [KEYWORD], order: 2, color: "#c77700" };
  await api.call("POST", "/stages", stage);
  await logIn(page, subscriber);
  const link = menuLink(page, "Inbox");
  await expect(link).toHaveText("Inbox");

  const from = { first_name: "Ann", username: "ann_writes" };
  const { user_id: ann } = await sandbox.receive(phone, from, "Hello! See https://example.com/price");
  await expect(link).toHaveText(/Inbox1/);
  await sandbox.receive(phone, { ...from, user_id: ann }, `Tell me, ${KEYWORD}?`);
  await link.click();
  const row = page.getByRole("region", { name: "Conversations", exact: true }).getByRole("link", { name: /Ann/ });
  await expect(row).toContainText("2 unread");
  await row.click();
  await expect(page).toHaveURL(/\/leads\/[^/?]+$/);
  const talk = page.getByRole("region", { name: "Conversation", exact: true });
  await expect(talk.locator("mark")).toHaveText(KEYWORD);
  await expect(talk.getByRole("link", { name: "https://example.com/price", exact: true })).toHaveAttribute(
    "rel",
    /noopener/,
  );
  await expect(row).not.toContainText("unread");

  await page.keyboard.press("r");
  const box = talk.getByRole("textbox", { name: "Reply", exact: true });
  await expect(box).toBeFocused();
  await box.fill("Ten euros, like this one");
  await talk
    .locator('input[type="file"]')
    .setInputFiles({ name: "price.png", mimeType: "image/png", buffer: Buffer.from(PNG) });
  await expect(talk.getByRole("img", { name: "Preview of price.png", exact: true })).toBeVisible();
  await box.press("Control+Enter");
  await expect(talk.getByRole("listitem").last()).toContainText("Ten euros, like this one");
  await expect(talk.getByRole("listitem").last().getByText("Sent", { exact: true })).toBeAttached();
  await expect(talk.getByRole("img", { name: "Picture from you", exact: true })).toBeVisible();
  expect(await sandbox.sent(phone)).toMatchObject([
    { to_user_id: ann, text: "Ten euros, like this one", media_type: "photo" },
  ]);
  await expect(page.getByText("Nobody waits for an answer", { exact: true })).toBeVisible();
  await expect(link).toHaveText("Inbox");

  await sandbox.receive(phone, { first_name: "Ann", user_id: ann }, "Thank you");
  await expect(talk.getByRole("log")).toContainText("Ann: Thank you");
  await expect(talk.getByRole("listitem").last()).toContainText("Thank you");
});

test("removes a done conversation from Waiting until a new message or Undo", async ({
  page,
  sandbox,
  subscriber,
  receiveLeads,
}) => {
  await receiveLeads(["Ann"]);
  // Telegram's times are whole seconds; the order needs a difference.
  await sandbox.advance(60);
  await receiveLeads(["Bob"], 2);
  await logIn(page, subscriber);
  await menuLink(page, "Inbox").click();
  const list = page.getByRole("region", { name: "Conversations", exact: true });
  const rows = list.getByRole("listitem");
  await expect(rows).toHaveText([/Ann/, /Bob/]);
  await list.getByRole("combobox", { name: "Order", exact: true }).selectOption("Newest first");
  await expect(rows).toHaveText([/Bob/, /Ann/]);
  await page.reload();
  await expect(rows).toHaveText([/Bob/, /Ann/]);

  await rows.filter({ hasText: "Bob" }).hover();
  await list.getByRole("button", { name: "Done: Bob", exact: true }).click();
  await expect(rows).toHaveText([/Ann/]);
  await expect(menuLink(page, "Inbox")).toHaveText(/Inbox1/);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(rows).toHaveText([/Bob/, /Ann/]);

  await list.getByRole("link", { name: /Ann/ }).click();
  await expect(page.getByRole("button", { name: "Done", exact: true })).toBeVisible();
  await page.keyboard.press("d");
  await expect(rows).toHaveText([/Bob/]);
  await expect(page.getByRole("button", { name: "Done", exact: true })).toBeHidden();
});
