import type { Page } from "@playwright/test";
import { STOPPED_WORDS } from "../../domain/send-outcome.ts";
import { connectAccount, expect, logIn, menuLink, receiveLeads, type Sandbox, test } from "./fixtures.ts";

const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test.beforeEach(async ({ page, subscriber }) => logIn(page, subscriber));

const dialog = (page: Page) => page.getByRole("alertdialog");
const throttle = (page: Page) => page.getByLabel("Throttle (seconds per message)");
const progress = (page: Page) => page.getByRole("progressbar", { name: "Bulk message progress" });

/** Fills the message in and sends it, up to the question. */
async function compose(page: Page, message: string, seconds = "0.1") {
  await page.getByLabel("Message", { exact: true }).fill(message);
  await throttle(page).fill(seconds);
  await page.getByRole("button", { name: "Send Bulk Message", exact: true }).click();
}
const answer = (page: Page, name: "OK" | "Cancel") => dialog(page).getByRole("button", { name }).click();

/** So many that a message every ten seconds is on its way for longer than any machine takes to look at it. */
const MANY = Array.from({ length: 6 }, (_, index) => `Lead ${index + 1}`);
const sending = (page: Page) => page.getByText(/^Sending bulk message\.\.\. [1-9]\d* of 6 leads/);

/** Moves the clock from one message to the next until the page says that all of them have gone out. */
async function expectSentToAll(page: Page, sandbox: Sandbox) {
  const result = page.getByText(/^✅ Bulk message sent to 6 leads and skipped 0/);
  await expect(async () => {
    await sandbox.advance(12);
    await expect(result).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

async function expectEachOnce(sandbox: Sandbox, phone: string, ids: number[]) {
  const reached = (await sandbox.sent(phone)).map(({ to_user_id: id }) => id);
  expect(reached.toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
}

test("a message with a picture goes to all leads, and the banner counts those it could not reach", async ({
  page,
  sandbox,
  api,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  const ids = await receiveLeads(api, sandbox, phone, ["Ann", "Ben", "Cleo"]);
  await sandbox.block(phone, ids[1] ?? 0);
  await page.goto("/bulk-message");
  await page
    .getByLabel("Image or video (optional)")
    .setInputFiles({ name: "offer.png", mimeType: "image/png", buffer: PICTURE });
  await expect(page.getByRole("button", { name: "Remove file" })).toBeVisible();
  await shot("composed");
  await compose(page, "Our autumn offer");
  await expect(dialog(page)).toContainText("Send this message to ALL your leads (3 leads, every stage)?");
  await shot("confirm-all");
  await answer(page, "OK");
  await expect(
    page.getByText("✅ Bulk message sent to 2 leads and skipped 1 (for example blocked or deleted accounts)."),
  ).toBeVisible();
  await shot("result");
  const sent = (await sandbox.sent(phone)).map(({ to_user_id, text, media_type }) => ({
    to_user_id,
    text,
    media_type,
  }));
  expect(sent.toSorted((a, b) => a.to_user_id - b.to_user_id)).toEqual(
    [ids[0], ids[2]].map((id) => ({ to_user_id: id, text: "Our autumn offer", media_type: "photo" })),
  );
});

test("a message to one stage is asked for in its own words, and goes out only when confirmed", async ({
  page,
  sandbox,
  api,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  const [ann] = await receiveLeads(api, sandbox, phone, ["Ann", "Ben"]);
  const stage = { name: "Interested", keywords: ["price"], order: 2, color: "#1f8a4c" };
  const { id: stageId } = await api.call<{ id: string }>("POST", "/stages", stage);
  const { user_id: interested } = await sandbox.receive(phone, { first_name: "Ann", user_id: ann ?? 0 }, "The price?");
  await expect.poll(() => api.call("GET", "/leads?name=Ann")).toMatchObject({ leads: [{ stage_id: stageId }] });
  await page.goto("/bulk-message");
  await page.getByLabel("Target stage").selectOption({ label: "Interested" });
  await compose(page, "About the price");
  await expect(dialog(page)).toContainText('Send this message to 1 lead in stage "Interested"?');
  await shot("confirm-stage");
  await answer(page, "Cancel");
  await expect(dialog(page)).toBeHidden();
  await expect(progress(page)).toBeHidden();
  await page.getByRole("button", { name: "Send Bulk Message", exact: true }).click();
  await answer(page, "OK");
  await expect(page.getByText(/^✅ Bulk message sent to 1 lead and skipped 0/)).toBeVisible();
  expect(await sandbox.sent(phone)).toMatchObject([{ to_user_id: interested, text: "About the price" }]);
});

test("a cancelled send stops at once; a second one during it is refused", async ({ page, sandbox, api, shot }) => {
  const phone = await connectAccount(api, sandbox);
  const ids = await receiveLeads(api, sandbox, phone, MANY);
  await page.goto("/bulk-message");
  await compose(page, "One by one", "10");
  await answer(page, "OK");
  await expect(sending(page)).toBeVisible();
  await compose(page, "And another");
  await expect(dialog(page)).toContainText("A bulk message is already being sent. Please wait until it finishes.");
  await answer(page, "OK");
  await shot("sending");
  await page.getByRole("button", { name: "Cancel Send", exact: true }).click();
  await expect(dialog(page)).toContainText("✅ Bulk job cancelled and deleted.");
  const texts = async () => (await sandbox.sent(phone)).map(({ text }) => text);
  const before = await texts();
  expect(before.length).toBeLessThan(ids.length);
  await shot("cancelled");
  await answer(page, "OK");
  await expect(progress(page)).toBeHidden();
  await sandbox.advance(60);
  await compose(page, "A new start");
  await answer(page, "OK");
  await expect(page.getByText(/^✅ Bulk message sent to 6 leads/)).toBeVisible();
  expect(await texts()).toEqual([...before, ...ids.map(() => "A new start")]);
});

test("after a reload the page shows the send again, up to its result", async ({ page, sandbox, api, shot }) => {
  const phone = await connectAccount(api, sandbox);
  const ids = await receiveLeads(api, sandbox, phone, MANY);
  await page.goto("/bulk-message");
  await compose(page, "Still there?", "10");
  await answer(page, "OK");
  await expect(sending(page)).toBeVisible();
  await page.reload();
  await expect(sending(page)).toBeVisible();
  await shot("after-reload");
  await expectSentToAll(page, sandbox);
  await expectEachOnce(sandbox, phone, ids);
});

test("a send goes on after the server was killed and started again, and reaches everyone once", async ({
  page,
  sandbox,
  api,
  product,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  const ids = await receiveLeads(api, sandbox, phone, MANY);
  await page.goto("/bulk-message");
  await compose(page, "Whatever happens", "10");
  await answer(page, "OK");
  await expect(sending(page)).toBeVisible();
  await product.kill();
  await expect(page.getByText("The progress could not be read. The server may still be sending.")).toBeVisible();
  await shot("server-away");
  await product.start();
  await page.getByRole("button", { name: "Check again", exact: true }).click();
  await expect(page.getByText("The progress could not be read. The server may still be sending.")).toBeHidden();
  await expectSentToAll(page, sandbox);
  await expectEachOnce(sandbox, phone, ids);
});

test("Telegram's spam limit ends a send with words a seller understands, and the account can be resumed later", async ({
  page,
  sandbox,
  api,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  await receiveLeads(api, sandbox, phone, ["Ann", "Ben"]);
  await sandbox.fault(phone, { method: "messages.sendMessage", error: "PEER_FLOOD" });
  await page.goto("/bulk-message");
  await compose(page, "Buy now");
  await answer(page, "OK");
  await expect(page.getByText(`Bulk message failed: ${STOPPED_WORDS}`)).toBeVisible();
  await shot("peer-flood");
  expect(await sandbox.sent(phone)).toEqual([]);

  await menuLink(page, "Connect Telegram").click();
  const health = page.getByRole("region", { name: "Account health" });
  await expect(health).toContainText("Sending stopped");
  await health.getByRole("button", { name: "Resume sending", exact: true }).click();
  await expect(health).toContainText(/Resume in (60|5\d) minutes at the earliest\./);
  await shot("stopped");
  await sandbox.advance(3_601);
  await health.getByRole("button", { name: "Resume sending", exact: true }).click();
  await expect(health).toContainText("Healthy");
});
