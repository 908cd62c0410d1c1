import fs from "node:fs";
import type { Page } from "@playwright/test";
import { type Api, connectAccount, expect, logIn, menuLink, receiveLeads, test } from "./fixtures.ts";

type Row = {
  id: string;
  name: string;
  tags: { name: string }[];
  fields: Record<string, unknown>;
  notes: string | null;
};

const rowOf = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });
const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `Lead ${String(index + 1).padStart(3, "0")}`);
const leadsOf = async (api: Api): Promise<Row[]> => (await api.call<{ leads: Row[] }>("GET", "/leads?limit=200")).leads;
const openTools = (page: Page) => page.getByRole("button", { name: "Tools", exact: true }).click();

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
  await page.goto("/settings#people");
  await page.getByRole("button", { name: "Add Tag", exact: true }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("VIP");
  await page.getByRole("button", { name: "Save Tag", exact: true }).click();
  await expect(page.getByRole("list", { name: "Tags", exact: true })).toContainText("VIP");
  await page.getByRole("button", { name: "Add Field", exact: true }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Budget");
  await page.getByRole("combobox", { name: "Type", exact: true }).selectOption("number");
  await page.getByRole("button", { name: "Save Field", exact: true }).click();
  await expect(page.getByRole("list", { name: "Fields", exact: true })).toContainText("Budget");
  await shot("settings-wide");

  await page.goto("/leads");
  await rowOf(page, "Ben").getByRole("link", { name: "Ben", exact: true }).click();
  await page.getByRole("button", { name: "Add tag", exact: true }).click();
  await expect(page.getByRole("button", { name: "Take VIP away" })).toBeVisible();
  await page.getByRole("spinbutton", { name: "Budget", exact: true }).fill("1250");
  await page.getByRole("button", { name: "Save fields", exact: true }).click();
  await expect(page.getByRole("button", { name: "Save fields", exact: true })).toHaveCount(0);
  await shot("panel-wide");

  await page.goto("/leads");
  await openTools(page);
  await page.getByRole("button", { name: "More filters", exact: true }).click();
  await page.getByRole("checkbox", { name: "VIP", exact: true }).check();
  const apply = page.getByRole("button", { name: "Apply", exact: true });
  await apply.click();
  await expect(page.getByText("1 lead", { exact: true })).toBeVisible();
  await expect(apply).toBeFocused();
  const search = page.getByRole("searchbox", { name: "Search people and messages" });
  await search.fill("hello");
  await search.press("Enter");
  await expect(page).toHaveURL(/q=hello/);
  await expect(search).toBeFocused();
  await search.fill("");
  await expect(page).not.toHaveURL(/q=/);
  await expect(search).toBeFocused();
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await page.getByRole("checkbox", { name: "Budget", exact: true }).check();
  await page.getByRole("checkbox", { name: "Tags", exact: true }).check();
  await page.getByRole("checkbox", { name: "Notes", exact: true }).uncheck();
  await page.getByRole("combobox", { name: "Order", exact: true }).selectOption({ label: "Budget, most first" });
  await expect(rowOf(page, "Ben")).toContainText("1,250");
  // When each came into its stage stands beside them while the list is in that order.
  const order = page.getByRole("combobox", { name: "Order", exact: true });
  await order.selectOption({ label: "Longest in their stage" });
  await expect(rowOf(page, "Ben").locator("[data-label='Stage entered']")).toHaveText(/20\d\d \d+:\d\d/);
  await order.selectOption({ label: "Budget, most first" });
  await expect(page.getByRole("columnheader", { name: "Stage entered" })).toHaveCount(0);
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("button", { name: "Add View", exact: true }).click();
  await page
    .getByRole("region", { name: "Add View", exact: true })
    .getByRole("textbox", { name: "Name", exact: true })
    .fill("Big ones");
  await page.getByRole("button", { name: "Save View" }).click();
  const link = menuLink(page, "Big ones");
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

test("leads are chosen over pages and tagged, and Ctrl+Z takes the tags away again", async ({
  page,
  sandbox,
  subscriber,
  api,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  await receiveLeads(api, sandbox, phone, names(112));
  await api.call("POST", "/tags", { name: "Fair", color: "#aa3355" });
  const tagged = async () => (await leadsOf(api)).filter(({ tags }) => tags.some(({ name }) => name === "Fair")).length;
  await logIn(page, subscriber);
  await page.goto("/leads");
  await openTools(page);
  const ticks = page.getByRole("checkbox", { name: /^Select Lead/ });
  await ticks.nth(2).click();
  await ticks.nth(7).click({ modifiers: ["Shift"] });
  await expect(page.getByText("6 selected")).toBeVisible();
  await page.getByRole("button", { name: "Next →" }).click();
  await expect(page.getByText("Page 2 of 3")).toBeVisible();
  await expect(ticks.nth(2)).not.toBeChecked();
  await ticks.first().click();
  await expect(page.getByText("7 selected")).toBeVisible();
  await page.getByRole("button", { name: "Tag 7", exact: true }).click();
  await expect(page.getByText("7 leads tagged Fair.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Tag 7", exact: true })).toBeFocused();
  expect(await tagged()).toBe(7);

  await page.getByRole("checkbox", { name: "Select all on this page" }).click();
  await page.getByRole("button", { name: "Select all 112 that match" }).click();
  await shot("selection-wide");
  await page.getByRole("button", { name: "Tag 112", exact: true }).click();
  // Seven carried it before.
  await expect(page.getByText("105 leads tagged Fair.")).toBeVisible();
  expect(await tagged()).toBe(112);
  const note = page.getByRole("textbox", { name: "Notes", exact: true }).first();
  await note.pressSequentially("ab");
  await note.press("Control+z");
  expect(await tagged()).toBe(112);
  await note.blur();
  await page.keyboard.press("Control+z");
  await expect(page.getByText("Taken back for 105 leads.")).toBeVisible();
  expect(await tagged()).toBe(7);

  // What was done is the page's: after a reload, on another screen, it can still be taken back.
  await page.getByRole("button", { name: "Hold 112", exact: true }).click();
  await expect(page.getByText("112 leads held.")).toBeVisible();
  await page.goto("/stages");
  await expect(page.getByText("112 leads held.")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Taken back for 112 leads.")).toBeVisible();

  // Exactly those who are ticked are written to, and the screen says how many they are.
  // The tools stand open where they were left open.
  await page.goto("/leads");
  await ticks.nth(1).click();
  await ticks.nth(3).click();
  await page.getByRole("button", { name: "Message 2", exact: true }).click();
  await expect(page.getByText("One message to exactly the 2 leads ticked in the list.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("One message to exactly the 2 leads ticked in the list.")).toBeVisible();
  await shot("bulk-ticked-wide");
  await page.goto("/leads");
  await ticks.first().click();

  // The bar goes with its leads and takes the focus along, into no field: the keys go on.
  await page.getByRole("button", { name: "Clear selection", exact: true }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Leads" })).toBeFocused();
  await ticks.first().click();
  await page.getByRole("button", { name: "Not a lead", exact: true }).press("Enter");
  await page.getByRole("button", { name: "OK", exact: true }).press("Enter");
  await expect(page.getByText("111 leads", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Leads" })).toBeFocused();
  // The list may hear of it before its answer is here, which brings the offer.
  await expect(page.getByRole("button", { name: "Undo", exact: true })).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByText("112 leads", { exact: true })).toBeVisible();
  await ticks.first().click();

  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  await shot("selection-narrow");
});

test("what goes out as a file comes back in edited, and cell by cell it is what the file says", async ({
  page,
  sandbox,
  subscriber,
  api,
  shot,
}) => {
  const phone = await connectAccount(api, sandbox);
  await receiveLeads(api, sandbox, phone, ["Ann", "Ben", "Cleo"]);
  await api.call("POST", "/tags", { name: "Fair", color: "#aa3355" });
  const city = await api.call<{ id: string }>("POST", "/fields", { name: "City", type: "text" });
  await logIn(page, subscriber);
  await page.goto("/leads");
  await openTools(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const text = fs.readFileSync(await (await download).path(), "utf8").replace(/^\uFEFF/, "");
  const [header = "", ...rows] = text.trim().split("\r\n");
  const columns = header.split(",");
  const edited = rows.map((row) => {
    const cells = row.split(",");
    const name = cells[columns.indexOf("name")];
    cells[columns.indexOf("notes")] = `"Note of ${name}, edited"`;
    cells[columns.indexOf("tags")] = "Fair";
    cells[columns.indexOf("City")] = `City of ${name}`;
    return cells.join(",");
  });
  const file = (lines: string[]) => ({
    name: "leads.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(lines.join("\n")),
  });

  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByLabel("CSV file").setInputFiles(file([header, ...edited, "one cell alone"]));
  await page.getByRole("button", { name: "See what changes" }).click();
  await expect(page.getByRole("alert")).toContainText("5");
  expect((await leadsOf(api)).map(({ notes }) => notes ?? "")).toEqual(["", "", ""]);

  await page.getByLabel("CSV file").setInputFiles(file([header, ...edited]));
  await expect(page.getByRole("combobox", { name: "What City is" })).toHaveValue(`field.${city.id}`);
  await page.getByRole("button", { name: "See what changes" }).click();
  await expect(page.getByText("3 leads found, 3 would change. Nothing has changed yet.")).toBeVisible();
  await shot("import-wide");
  await page.getByRole("button", { name: "Change 3 leads" }).click();
  await expect(page.getByText("3 leads changed.")).toBeVisible();
  for (const { name, notes, tags, fields } of await leadsOf(api))
    expect({ notes, tags: tags.map((tag) => tag.name), city: fields[city.id] }).toEqual({
      notes: `Note of ${name}, edited`,
      tags: ["Fair"],
      city: `City of ${name}`,
    });
});

test("who is not a lead leaves the list, comes back by Undo, and starts anew by the settings, and contacts are left out as a whole", async ({
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
  await rowOf(page, "Ann").getByRole("link", { name: "Ann", exact: true }).click();
  const exclude = async () => {
    await page.getByRole("button", { name: "Not a lead", exact: true }).click();
    await expect(page.getByRole("alertdialog", { name: "Is Ann not a lead?" })).toContainText(
      "nothing this person writes",
    );
    await page.getByRole("button", { name: "OK", exact: true }).click();
    await expect(page.getByText("Ann is not a lead any more.")).toBeVisible();
  };
  await exclude();
  expect((await leadsOf(api)).map(({ name }) => name)).toEqual(["Ben"]);
  // The lead's own address says what became of the person, with the step back beside it.
  const conversation = page.getByRole("region", { name: "Conversation", exact: true });
  await expect(conversation).toContainText("Nothing they write is stored from now on");
  await shot("excluded-wide");
  await conversation.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("The lead is there again.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Not a lead", exact: true })).toBeVisible();
  expect((await leadsOf(api)).map(({ name }) => name).toSorted()).toEqual(["Ann", "Ben"]);

  await page.goto("/leads");
  await rowOf(page, "Ann").getByRole("link", { name: "Ann", exact: true }).click();
  await exclude();
  await sandbox.advance(60);
  await page.goto("/settings#people");
  await shot("exclusions-wide");
  await page.getByRole("button", { name: "Restore Ann" }).click();
  await expect(page.getByRole("button", { name: "Restore Ann" })).toHaveCount(0);
  await sandbox.receive(phone, { first_name: "Ann", user_id: Number(ann) }, "Hello again");
  await expect.poll(async () => (await leadsOf(api)).map(({ name }) => name).toSorted()).toEqual(["Ann", "Ben"]);

  // Contacts as a whole, after a question; who is a lead already stays one.
  const contacts = page.getByRole("switch", { name: "Leave my Telegram contacts out" });
  await contacts.click();
  await expect(page.getByRole("alertdialog", { name: "Leave your Telegram contacts out?" })).toContainText(
    "nothing that your contacts write is stored",
  );
  await page.getByRole("button", { name: "OK", exact: true }).click();
  await expect(page.getByText("Your contacts are left out from now on.")).toBeVisible();
  await expect(contacts).toBeChecked();
  await shot("contacts-left-out");
  await sandbox.receive(phone, { first_name: "Ann", user_id: Number(ann), is_contact: true }, "From a lead");
  await sandbox.receive(phone, { first_name: "Cleo", is_contact: true }, "From a contact");
  await sandbox.receive(phone, { first_name: "Dan" }, "From a stranger");
  await expect.poll(async () => (await leadsOf(api)).map(({ name }) => name).toSorted()).toEqual(["Ann", "Ben", "Dan"]);
  await page.reload();
  await expect(contacts).toBeChecked();
  await contacts.click();
  await expect(page.getByText("Your contacts become leads again when they write.")).toBeVisible();
  expect(await api.call("GET", "/settings")).toMatchObject({ exclude_contacts: false });
});
