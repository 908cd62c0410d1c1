import type { Page } from "@playwright/test";
import { addStages, expect, logIn, menuLink, rowOf, test } from "./fixtures.ts";

test("updates a row when its lead writes, and keeps another row's edits", async ({
  page,
  sandbox,
  phone,
  subscriber,
  api,
  receiveLeads,
}) => {
  await addStages(api, "Interested");
  const [ann] = await receiveLeads(["Ann", "Ben"]);
  await logIn(page, subscriber);
  // The page opens its event stream shortly after its first requests.
  const streaming = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/api/events");
  await page.goto("/leads");
  const edited = rowOf(page, "Ben").getByRole("textbox", { name: "Notes", exact: true });
  await edited.pressSequentially("Half a sen");
  await streaming;

  await sandbox.receive(phone, { first_name: "Annabel", user_id: Number(ann) }, "What is the price?");
  const row = rowOf(page, "Annabel");
  await expect(row).toContainText("Interested");
  await expect(edited).toBeFocused();
  await edited.pressSequentially("tence");
  await expect(edited).toHaveValue("Half a sentence");

  await sandbox.receive(phone, { first_name: "Cleo" }, "Hi");
  const offer = page.getByRole("button", { name: "1 new, refresh", exact: true });
  await expect(offer).toBeVisible();
  await expect(rowOf(page, "Cleo")).toHaveCount(0);
  await offer.click();
  await expect(rowOf(page, "Cleo")).toBeVisible();
  await expect(edited).toHaveValue("Half a sentence");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await expect(page.getByRole("button", { name: "Apply Filters", exact: true })).toHaveCount(1);
});

/** Returns the number of lines of controls above the first lead. */
async function linesAboveRows(page: Page): Promise<number> {
  const top = (await page.locator("tbody tr").first().boundingBox())?.y ?? 0;
  const boxes = [];
  for (const control of await page.getByRole("main").locator("button, input, select, a").all())
    if (await control.isVisible()) boxes.push(await control.boundingBox());
  const above = boxes
    .filter((box) => box !== null && box.y < top)
    .toSorted((one, other) => (one?.y ?? 0) - (other?.y ?? 0));
  let lines = 0;
  let bottom = 0;
  for (const box of above) {
    if (box === null || box.y < bottom) continue;
    lines += 1;
    bottom = box.y + box.height;
  }
  return lines;
}

/** Sums up all layout shifts that no input caused. */
const WATCH_SHIFTS = `window.shifts = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
}).observe({ type: "layout-shift", buffered: true });`;

test("shows last message and waiting time in a wide window, without a layout shift", async ({
  page,
  subscriber,
  api,
  receiveLeads,
}) => {
  await addStages(api, "Interested");
  const [stage] = await api.call<{ id: string }[]>("GET", "/stages");
  const step = { stage_id: stage?.id ?? "", message: "Shall we talk?", followup_order: 0, delay_hours: 24 };
  await api.call("POST", "/followups", undefined, step);
  await receiveLeads(["Ann", "Ben", "Cleo"]);
  const { leads } = await api.call<{ leads: { id: string; name: string }[] }>("GET", "/leads");
  await api.call("POST", `/followups/send/${leads.find(({ name }) => name === "Ben")?.id ?? ""}`);
  await api.call("PATCH", `/leads/${leads[0]?.id ?? ""}`, { notes: "Asked for the yearly plan and a family discount" });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.addInitScript(WATCH_SHIFTS);
  await logIn(page, subscriber);
  await page.goto("/leads");
  await expect(rowOf(page, "Ann")).toContainText("Hello");
  await expect(rowOf(page, "Ann")).toContainText("waiting");
  await expect(rowOf(page, "Ben")).toContainText("You: Shall we talk?");
  await expect(rowOf(page, "Ben")).not.toContainText("waiting");

  const heights = await page
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(heights).toHaveLength(3);
  expect(heights.filter((height) => height < 40 || height > 44)).toEqual([]);
  expect((await page.locator("tbody tr").first().boundingBox())?.y).toBeLessThanOrEqual(300);

  const next = rowOf(page, "Ann").getByText("Next: Shall we talk?", { exact: true });
  const send = rowOf(page, "Ann").getByRole("button", { name: "Send Follow-Up", exact: true });
  await expect(next).toBeHidden();
  await send.hover();
  await expect(next).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(next).toBeHidden();
  await rowOf(page, "Ann").getByRole("textbox", { name: "Notes", exact: true }).click();
  await page.keyboard.press("Tab");
  await expect(send).toBeFocused();
  await expect(next).toBeVisible();

  const help = page.getByRole("tooltip");
  await expect(help).toBeHidden();
  await page.getByRole("button", { name: "What does Awaiting Reply mean?", exact: true }).focus();
  await expect(help).toContainText("you wrote last and they have not replied");
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();

  await rowOf(page, "Ann").getByRole("button", { name: "Send Follow-Up", exact: true }).click();
  await expect(rowOf(page, "Ann")).toContainText("Follow-up sent!");
  await expect(rowOf(page, "Ann")).toContainText("You: Shall we talk?");
  // The text line that an update adds to a row does not count as a shift.
  expect(await page.evaluate("window.shifts")).toBeCloseTo(0, 3);

  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole("columnheader")).toHaveText([
    /^Date/,
    /^Name/,
    /^Username/,
    /^Stage/,
    /^Follow-ups/,
    /^Awaiting Reply/,
    "Notes",
    "Actions",
  ]);
});

test("fits one filter button and two lines of controls above the cards when narrow", async ({
  page,
  subscriber,
  receiveLeads,
}) => {
  await receiveLeads(["Ann", "Ben"]);
  await page.setViewportSize({ width: 390, height: 844 });
  await logIn(page, subscriber);
  await page.goto("/leads");
  await expect(rowOf(page, "Ann")).toBeVisible();
  const edges = async (role: "textbox" | "button", name: string) => {
    const box = await rowOf(page, "Ann").getByRole(role, { name, exact: true }).boundingBox();
    return [box?.x, box?.width];
  };
  expect(await edges("button", "Send Follow-Up")).toEqual(await edges("textbox", "Notes"));
  for (const name of ["Filters", "Clear All", "Refresh", "Tools"])
    await expect(page.getByRole("button", { name, exact: true })).toBeVisible();
  expect(await linesAboveRows(page)).toEqual(1);
  await page.getByRole("button", { name: "Tools", exact: true }).click();
  await expect(page.getByRole("button", { name: "Columns", exact: true })).toBeVisible();
  expect(await linesAboveRows(page)).toEqual(2);
  await expect(page.getByRole("button", { name: "Filters", exact: true })).toHaveCount(1);

  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await expect(page.getByRole("search")).toBeVisible();
  await expect(page.getByLabel("Opted out", { exact: true })).toBeVisible();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("ann");
  await page.getByRole("button", { name: "Apply Filters", exact: true }).click();
  await expect(page.getByText("1 lead", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Filters (1)", exact: true })).toBeVisible();
});

test("keeps filters and page in the address across a reload and Back", async ({ page, subscriber, receiveLeads }) => {
  await receiveLeads(["Ann", "Ben", "Anton"]);
  await logIn(page, subscriber);
  await page.goto("/leads");
  await expect(page.getByText("3 leads", { exact: true })).toBeVisible();
  // The page renders in the first frame only the rows that fit below this height.
  expect((await rowOf(page, "Ann").first().boundingBox())?.y).toBeGreaterThanOrEqual(216);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("an");
  await expect(page).toHaveURL(/\/leads$/);
  await page.getByRole("button", { name: "Apply Filters", exact: true }).click();
  await expect(page).toHaveURL(/\/leads\?name=an$/);
  await expect(page.getByText("2 leads", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText("2 leads", { exact: true })).toBeVisible();
  await expect(name).toHaveValue("an");

  await menuLink(page, "Stages").click();
  await expect(page.getByRole("heading", { name: "Manage Stages", exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByText("2 leads", { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByText("3 leads", { exact: true })).toBeVisible();
  await expect(name).toHaveValue("");
  await page.goForward();
  await expect(page.getByText("2 leads", { exact: true })).toBeVisible();
});

test("restores the scroll position of list and inbox after Back", async ({ page, subscriber, receiveLeads }) => {
  await receiveLeads(Array.from({ length: 16 }, (_, index) => `Person ${index + 1}`));
  await page.setViewportSize({ width: 390, height: 600 });
  await logIn(page, subscriber);
  const scroller = page.getByRole("region", { name: "Conversations", exact: true }).getByRole("list").locator("..");
  const heights = {
    "/leads": () => page.evaluate<number>("window.scrollY"),
    "/inbox": () => scroller.evaluate((element: { scrollTop: number }) => element.scrollTop),
  };
  for (const path of ["/leads", "/inbox"] as const) {
    await page.goto(path);
    const link = page
      .getByRole("main")
      .getByRole("link", { name: /^Person / })
      .nth(11);
    await link.scrollIntoViewIfNeeded();
    await expect.poll(heights[path]).toBeGreaterThan(100);
    // Scrolls the link into place, so that all rows above it are rendered.
    await link.click({ trial: true });
    const before = (await link.boundingBox())?.y ?? Number.NaN;
    await link.click();
    await expect(page.getByRole("region", { name: "Conversation", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Back", exact: true }).click();
    await expect(link).toBeInViewport();
    // Rows that were never visible have estimated heights, so the position may differ by about one row.
    const moved = async () => Math.abs(((await link.boundingBox())?.y ?? Number.NaN) - before);
    await expect.poll(moved).toBeLessThan(120);
  }
});
