import type { Locator, Page } from "@playwright/test";
import { type Api, addStages, boxOf, expect, logIn, test } from "./fixtures.ts";

const columnOf = (page: Page, stage: string) => page.getByRole("region", { name: new RegExp(`^${stage},`) });
const cardOf = (within: Page | Locator, name: string) => within.getByRole("group", { name, exact: true });

/** Gives Ann a worth of 1,200 and a tag, and Ben a worth of 300. */
async function addWorth(api: Api): Promise<void> {
  const field = await api.call<{ id: string }>("POST", "/fields", { name: "Worth", type: "number", is_value: true });
  const tag = await api.call<{ id: string }>("POST", "/tags", { name: "Hot", color: "#b3261e" });
  const { leads } = await api.call<{ leads: { id: string; name: string }[] }>("GET", "/leads");
  for (const { id, name } of leads) {
    const worth = { Ann: 1_200, Ben: 300 }[name];
    if (worth !== undefined) await api.call("PATCH", `/leads/${id}/fields`, { [field.id]: worth });
    if (name === "Ann") await api.call("PUT", `/leads/${id}/tags`, { tag_ids: [tag.id] });
  }
}

/** Long-presses the card until it is lifted, drags it over the column and drops it. */
async function dragByFinger(page: Page, from: { x: number; y: number }, to: { x: number; y: number }, column: Locator) {
  const client = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd" | "touchCancel", points: { x: number; y: number }[]) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  // The touch handlers may have loaded only just now.
  await expect(async () => {
    await touch("touchStart", [from]);
    await expect(page.locator("[data-ghost]"))
      .toBeVisible({ timeout: 5_000 })
      .catch((error: unknown) => touch("touchCancel", []).then(() => Promise.reject(error)));
  }).toPass();
  for (let part = 1; part <= 8; part += 1)
    await touch("touchMove", [{ x: from.x + ((to.x - from.x) * part) / 8, y: from.y + ((to.y - from.y) * part) / 8 }]);
  await expect(column).toHaveAttribute("data-over");
  await touch("touchEnd", []);
}

test("moves cards by mouse, keyboard and menu, and reverts a refused move", async ({
  page,
  sandbox,
  phone,
  receiveLeads,
  subscriber,
  api,
}) => {
  await addStages(api, "Interested", "Won");
  const [ann] = await receiveLeads(["Ann", "Ben", "Cleo", "Dan"]);
  await addWorth(api);
  await logIn(page, subscriber);
  await page.goto("/leads");
  await page.getByRole("link", { name: "Board", exact: true }).click();
  await expect(page).toHaveURL(/\/board$/);
  const column = (stage: string) => columnOf(page, stage);
  const [first, interested, won] = [column("Initial Contact"), column("Interested"), column("Won")];
  await expect(first).toHaveAccessibleName("Initial Contact, 4 leads, Worth 1,500");

  // By mouse. If a banner appears and moves the card under the pointer, the drag is repeated.
  await expect(async () => {
    if (await cardOf(first, "Ben").isVisible()) await cardOf(first, "Ben").dragTo(interested, { timeout: 10_000 });
    await expect(cardOf(interested, "Ben")).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(page.getByText("Lead stage updated", { exact: true })).toBeVisible();
  await expect(first).toHaveAccessibleName("Initial Contact, 3 leads, Worth 1,200");
  await expect(interested).toHaveAccessibleName("Interested, 1 lead, Worth 300");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(cardOf(first, "Ben")).toBeVisible();

  // By keyboard: Enter lifts, Tab moves between stages, Enter drops, Escape cancels.
  await cardOf(first, "Dan").focus();
  await page.keyboard.press("End");
  await expect(first.locator("[data-card]").last()).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(first.locator("[data-card]").nth(2)).toBeFocused();
  await cardOf(first, "Cleo").focus();
  await page.keyboard.press("Enter");
  await expect(interested).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(won).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(cardOf(first, "Cleo")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(interested).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(cardOf(won, "Cleo")).toBeFocused();
  await expect(won).toHaveAccessibleName("Won, 1 lead, Worth 0");

  // By menu.
  await cardOf(first, "Dan").getByRole("button", { name: "Move Dan to another stage", exact: true }).click();
  await page.getByRole("menuitem", { name: "Interested", exact: true }).click();
  await expect(cardOf(interested, "Dan")).toBeVisible();

  // A message from a lead moves its card.
  await sandbox.receive(phone, { first_name: "Ann", user_id: Number(ann) }, "What is the price?");
  await expect(cardOf(interested, "Ann")).toBeVisible();

  // A move that the server refuses is reverted, with an alert.
  await page.route("**/api/leads/*", (route) =>
    route.request().method() === "PATCH" ? route.fulfill({ status: 409, json: { message: "No." } }) : route.continue(),
  );
  await cardOf(first, "Ben").dragTo(won);
  await expect(page.getByRole("alertdialog")).toContainText("Failed to update stage");
  await page.getByRole("button", { name: "OK", exact: true }).click();
  await expect(cardOf(first, "Ben")).toBeVisible();
  await expect(won).toHaveAccessibleName("Won, 1 lead, Worth 0");
  await page.unroute("**/api/leads/*");

  // The board uses the list's filters, from the address.
  await page.goto("/board?name=an");
  await expect(page.getByText("2 leads", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Filters and list", exact: true }).click();
  await expect(page).toHaveURL(/\/leads\?name=an$/);
  await page.getByRole("link", { name: "Board", exact: true }).click();
  await page.getByRole("button", { name: "Clear filters", exact: true }).click();
  await expect(page.getByText("4 leads", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/board$/);
  await cardOf(interested, "Dan").getByRole("link", { name: "Dan", exact: true }).click();
  await expect(page).toHaveURL(/\/leads\/[^/]+$/);

  // Stats shows the same sums. Its days follow the product's clock, which other tests may have moved.
  await page.clock.setSystemTime(await sandbox.now());
  await page.goto("/stats");
  const sums = page.getByRole("region", { name: "Worth per Stage", exact: true });
  await expect(sums).toContainText("1,500 in all.");
  await expect(sums.getByRole("listitem").filter({ hasText: "Interested" })).toContainText("1,200");
});

test("finds a lead and opens a screen with the palette by keyboard", async ({ page, subscriber, receiveLeads }) => {
  await receiveLeads(["Ann", "Benedict", "Cleo"]);
  await logIn(page, subscriber);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const palette = page.getByRole("dialog", { name: "Find people, screens and actions", exact: true });
  const chosen = palette.locator("[role=option][data-focused]");

  await page.keyboard.press("Control+k");
  await expect(palette.getByRole("combobox").or(palette.getByRole("searchbox"))).toBeFocused();
  await page.keyboard.type("benedi");
  await expect(palette.getByRole("option", { name: "Benedict", exact: true })).toBeVisible();
  await expect(chosen).toHaveText("Benedict");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/leads\/[^/]+$/);
  const conversation = page.getByRole("region", { name: "Conversation", exact: true });
  await expect(conversation.getByRole("heading", { name: "Benedict", exact: true })).toBeVisible();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("follow");
  await expect(chosen).toHaveText("Follow-up Settings");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/followups$/);
  await expect(page.getByRole("heading", { level: 1, name: "Follow-up Settings", exact: true })).toBeVisible();

  // Runs an action of another screen with the arrow keys.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("stage");
  await expect(chosen).toHaveText("Stages");
  await page.keyboard.press("ArrowDown");
  await expect(chosen).toHaveText("Add a stage");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Manage Stages", exact: true })).toBeVisible();
  await expect(page.locator("tbody tr")).toHaveCount(2);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("keyboard");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("zzzz");
  await expect(palette.getByText("Nothing is called 'zzzz'.", { exact: true })).toBeVisible();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("a");
  await expect(palette.getByRole("option").first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("drags a card after a long press, and scrolls otherwise", async ({ page, subscriber, api, receiveLeads }) => {
    // With two columns, holding the card at the edge scrolls the second one under it.
    await addStages(api, "Interested");
    await receiveLeads(["Ann", "Ben"]);
    await logIn(page, subscriber);
    const isReadyForTouch = page.waitForResponse(/\/touch-drag-/);
    await page.goto("/board");
    const [first, interested] = [columnOf(page, "Initial Contact"), columnOf(page, "Interested")];
    const card = cardOf(first, "Ann");
    await expect(card).toBeVisible();
    await isReadyForTouch;
    const box = await boxOf(card);
    const from = { x: box.x + box.width / 2 - 60, y: box.y + box.height / 2 };
    await dragByFinger(page, from, { x: 366, y: 500 }, interested);
    await expect(cardOf(interested, "Ann")).toBeVisible();
    await expect(page.getByText("Lead stage updated", { exact: true })).toBeVisible();
    await expect(interested).toHaveAccessibleName("Interested, 1 lead");

    // No button of the toolbar is outside the screen.
    await page.goto("/leads");
    for (const name of ["Filters", "Clear All", "Refresh", "Tools"])
      await expect(page.getByRole("button", { name, exact: true })).toBeInViewport({ ratio: 1 });
  });
});
