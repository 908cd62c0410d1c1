import { connectAccount, expect, logIn, receiveLeads, rowOf, test } from "./fixtures.ts";

/**
 * Returns the position of the toast with this text and the buttons it covers; null while there is no toast. Measured in one call, because
 * toasts disappear after seconds.
 */
function measure(text: string) {
  const status = [...document.querySelectorAll("[role=status], [aria-live=polite]")].find(
    ({ textContent }) => textContent === text,
  );
  const toast = status?.parentElement;
  if (!toast) return null;
  const { left, right, top, bottom } = toast.getBoundingClientRect();
  const buttons = [...document.querySelectorAll("main button")].map((button) => button.getBoundingClientRect());
  const covered = buttons.filter((one) => one.left < right && one.right > left && one.top < bottom && one.bottom > top);
  const color = getComputedStyle(toast).backgroundColor;
  return { color, left, right, top, buttons: buttons.length, covered: covered.map((one) => one.toJSON() as unknown) };
}

test("shows a green toast at the top right that covers no button", async ({ page, api, sandbox, subscriber }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  const [first] = await api.call<{ id: string }[]>("GET", "/stages");
  expect(first).toBeDefined();
  await api.call("POST", "/stages", { name: "Interested", keywords: ["price"], order: 2, color: "#c77700" });
  await receiveLeads(api, sandbox, await connectAccount(api, sandbox), ["Ada", "Grace", "Edith"]);
  await logIn(page, subscriber);
  await page.goto("/leads");
  // The topmost row: at the top of the page the toast must not cover it.
  const row = page.getByRole("row").nth(1);
  const isSeen = page.waitForFunction(measure, "Lead stage updated");
  await row.getByRole("button", { name: "Edit stage", exact: true }).click();
  await row.getByRole("combobox").selectOption("Interested");
  const toast = page.getByRole("status").getByText("Lead stage updated", { exact: true });
  const seen = await (await isSeen).jsonValue();
  if (seen === null) throw new Error("no toast is shown");
  expect(seen.color).toEqual("rgb(22, 108, 59)");
  expect(seen.right).toBeGreaterThan(1240);
  expect(seen.left).toBeGreaterThan(640);
  expect(seen.top).toBeLessThan(40);
  expect(seen.buttons).toBeGreaterThan(8);
  expect(seen.covered).toEqual([]);
  const move = page.getByText("The lead was moved.", { exact: true });
  expect(await move.count()).toEqual(0);
  await expect(toast).toBeHidden();
  await expect(move).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo", exact: true })).toHaveCount(1);
});

test("covers no button and not the logo with a toast at 390 px", async ({ page, api, sandbox, subscriber }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await api.call("GET", "/stages");
  await api.call("POST", "/stages", { name: "Interested", keywords: ["price"], order: 2, color: "#c77700" });
  await receiveLeads(api, sandbox, await connectAccount(api, sandbox), ["Ada"]);
  await logIn(page, subscriber);
  await page.goto("/leads");
  const row = rowOf(page, "Ada");
  await row.getByRole("button", { name: "Edit stage", exact: true }).click();
  await row.getByRole("combobox").selectOption("Interested");
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  const move = page.getByText("The lead was moved.", { exact: true });
  await expect(move).toBeVisible();
  const toast = await undo.locator("..").boundingBox();
  const mark = await page.getByRole("banner").locator("svg").last().boundingBox();
  if (toast === null || mark === null) throw new Error("the toast or the logo is missing");
  expect(toast.x).toBeGreaterThan(mark.x + mark.width);
  expect((await page.evaluate(measure, "The lead was moved."))?.covered).toEqual([]);
});
