import type { Page } from "@playwright/test";
import { type Api, connectAccount, expect, logIn, receiveLeads, test } from "./fixtures.ts";

type Row = {
  id: string;
  name: string;
  tags: { name: string }[];
  fields: Record<string, unknown>;
  notes: string | null;
};

const rowOf = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });
const leadsOf = async (api: Api): Promise<Row[]> => (await api.call<{ leads: Row[] }>("GET", "/leads?limit=200")).leads;
const openTools = (page: Page) => page.getByRole("button", { name: "Tools" }).click();

test("a tag, a field and a view are made, and the view opens in another browser by its address alone", async ({
  page,
  browser,
  sandbox,
  subscriber,
  api,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  await receiveLeads(api, sandbox, phone, ["Ann", "Ben", "Cleo"]);
  await logIn(page, subscriber);
  await page.goto("/settings");
  await page.getByRole("button", { name: "Add Tag" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("VIP");
  await page.getByRole("button", { name: "Save Tag" }).click();
  await expect(page.getByRole("list", { name: "Tags" })).toContainText("VIP");
  await page.getByRole("button", { name: "Add Field" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Budget");
  await page.getByRole("combobox", { name: "Type" }).selectOption("number");
  await page.getByRole("button", { name: "Save Field" }).click();
  await expect(page.getByRole("list", { name: "Fields" })).toContainText("Budget");
  await shot("settings-wide");

  await page.goto("/leads");
  await rowOf(page, "Ben").getByRole("link", { name: "Ben" }).click();
  await page.getByRole("button", { name: "Add tag" }).click();
  await expect(page.getByRole("button", { name: "Take VIP away" })).toBeVisible();
  await page.getByRole("spinbutton", { name: "Budget" }).fill("1250");
  await page.getByRole("button", { name: "Save fields" }).click();
  await expect(page.getByRole("button", { name: "Save fields" })).toHaveCount(0);
  await shot("panel-wide");

  await page.goto("/leads");
  await openTools(page);
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByRole("checkbox", { name: "VIP" }).check();
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await expect(page.getByText("1 lead", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Budget" }).check();
  await page.getByRole("checkbox", { name: "Tags" }).check();
  await page.getByRole("checkbox", { name: "Notes" }).uncheck();
  await page.getByRole("combobox", { name: "Order" }).selectOption({ label: "Budget, most first" });
  await expect(rowOf(page, "Ben")).toContainText("1,250");
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("button", { name: "Add View" }).click();
  await page.getByRole("region", { name: "Add View" }).getByRole("textbox", { name: "Name" }).fill("Big ones");
  await page.getByRole("button", { name: "Save View" }).click();
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Big ones" });
  await expect(link).toHaveAttribute("aria-current", "page");
  await shot("view-wide");
  const address = page.url();

  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await logIn(other, subscriber);
  await other.goto(address);
  await expect(rowOf(other, "Ben")).toContainText("1,250");
  await expect(rowOf(other, "Ann")).toHaveCount(0);
  await expect(other.getByRole("columnheader", { name: "Notes" })).toBeHidden();
  await elsewhere.close();
});

test("who is not a lead leaves the list, comes back by Undo, and starts anew by the settings", async ({
  page,
  sandbox,
  subscriber,
  api,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  const [ann] = await receiveLeads(api, sandbox, phone, ["Ann", "Ben"]);
  await logIn(page, subscriber);
  await page.goto("/leads");
  await rowOf(page, "Ann").getByRole("link", { name: "Ann" }).click();
  const exclude = async () => {
    await page.getByRole("button", { name: "Not a lead" }).click();
    await expect(page.getByRole("alertdialog", { name: "Is Ann not a lead?" })).toContainText(
      "nothing this person writes",
    );
    await page.getByRole("button", { name: "OK" }).click();
    await expect(page.getByText("Ann is not a lead any more.")).toBeVisible();
  };
  await exclude();
  expect((await leadsOf(api)).map(({ name }) => name)).toEqual(["Ben"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("The lead is there again.")).toBeVisible();
  expect((await leadsOf(api)).map(({ name }) => name).toSorted()).toEqual(["Ann", "Ben"]);

  await page.goto("/leads");
  await rowOf(page, "Ann").getByRole("link", { name: "Ann" }).click();
  await exclude();
  await sandbox.advance(60);
  await page.goto("/settings");
  await shot("exclusions-wide");
  await page.getByRole("button", { name: "Restore Ann" }).click();
  await expect(page.getByRole("button", { name: "Restore Ann" })).toHaveCount(0);
  await sandbox.receive(phone, { first_name: "Ann", user_id: Number(ann) }, "Hello again");
  await expect.poll(async () => (await leadsOf(api)).map(({ name }) => name).toSorted()).toEqual(["Ann", "Ben"]);
});
