import fs from "node:fs";
import type { Page } from "@playwright/test";
import { type Api, expect, logIn, test } from "./fixtures.ts";

type Row = {
  id: string;
  name: string;
  tags: { name: string }[];
  fields: Record<string, unknown>;
  notes: string | null;
};

const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `Lead ${String(index + 1).padStart(3, "0")}`);
const leadsOf = async (api: Api): Promise<Row[]> => (await api.call<{ leads: Row[] }>("GET", "/leads?limit=200")).leads;
const openTools = (page: Page) => page.getByRole("button", { name: "Tools", exact: true }).click();

test("tags leads selected across pages, and undoes it with Ctrl+Z", async ({ page, subscriber, api, receiveLeads }) => {
  await receiveLeads(names(112));
  await api.call("POST", "/tags", { name: "Fair", color: "#aa3355" });
  const tagged = async () => (await leadsOf(api)).filter(({ tags }) => tags.some(({ name }) => name === "Fair")).length;
  await logIn(page, subscriber);
  await page.goto("/leads");
  await openTools(page);
  const ticks = page.getByRole("checkbox", { name: /^Select Lead/ });
  await ticks.nth(2).click();
  await ticks.nth(7).click({ modifiers: ["Shift"] });
  await expect(page.getByText("6 selected", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Next →", exact: true }).click();
  await expect(page.getByText("Page 2 of 3", { exact: true })).toBeVisible();
  await expect(ticks.nth(2)).not.toBeChecked();
  await ticks.first().click();
  await expect(page.getByText("7 selected", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Tag 7", exact: true }).click();
  await expect(page.getByText("7 leads tagged Fair.", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Tag 7", exact: true })).toBeFocused();
  expect(await tagged()).toBe(7);

  await page.getByRole("checkbox", { name: "Select all on this page", exact: true }).click();
  await page.getByRole("button", { name: "Select all 112 that match", exact: true }).click();
  await page.getByRole("button", { name: "Tag 112", exact: true }).click();
  // Seven leads had the tag before.
  await expect(page.getByText("105 leads tagged Fair.", { exact: true })).toBeVisible();
  expect(await tagged()).toBe(112);
  const note = page.getByRole("textbox", { name: "Notes", exact: true }).first();
  await note.pressSequentially("ab");
  await note.press("Control+z");
  expect(await tagged()).toBe(112);
  await note.blur();
  await page.keyboard.press("Control+z");
  await expect(page.getByText("Taken back for 105 leads.", { exact: true })).toBeVisible();
  expect(await tagged()).toBe(7);

  // After a reload, on another screen, the last action can still be undone.
  await page.getByRole("button", { name: "Hold 112", exact: true }).click();
  await expect(page.getByText("112 leads held.", { exact: true })).toBeVisible();
  await page.goto("/stages");
  await expect(page.getByText("112 leads held.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("Taken back for 112 leads.", { exact: true })).toBeVisible();

  // The message goes to exactly the selected leads, and the screen shows their number. The tools are still open.
  await page.goto("/leads");
  await ticks.nth(1).click();
  await ticks.nth(3).click();
  await page.getByRole("button", { name: "Message 2", exact: true }).click();
  await expect(page.getByText("One message to exactly the 2 leads ticked in the list.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText("One message to exactly the 2 leads ticked in the list.", { exact: true })).toBeVisible();
  await page.goto("/leads");
  await ticks.first().click();

  // When the bar disappears the focus moves to the heading, not into a field, so keys still work.
  await page.getByRole("button", { name: "Clear selection", exact: true }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Leads", exact: true })).toBeFocused();
  await ticks.first().click();
  await page.getByRole("button", { name: "Not a lead", exact: true }).press("Enter");
  await page.getByRole("button", { name: "OK", exact: true }).press("Enter");
  await expect(page.getByText("111 leads", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Leads", exact: true })).toBeFocused();
  // The list may update before the response arrives, which brings the Undo button.
  await expect(page.getByRole("button", { name: "Undo", exact: true })).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByText("112 leads", { exact: true })).toBeVisible();
});

test("exports leads, and imports the file with edited cells", async ({ page, subscriber, api, receiveLeads }) => {
  await receiveLeads(["Ann", "Ben", "Cleo"]);
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
  await page.getByLabel("CSV file", { exact: true }).setInputFiles(file([header, ...edited, "one cell alone"]));
  await page.getByRole("button", { name: "See what changes", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("5");
  expect((await leadsOf(api)).map(({ notes }) => notes ?? "")).toEqual(["", "", ""]);

  await page.getByLabel("CSV file", { exact: true }).setInputFiles(file([header, ...edited]));
  await expect(page.getByRole("combobox", { name: "What City is", exact: true })).toHaveValue(`field.${city.id}`);
  await page.getByRole("button", { name: "See what changes", exact: true }).click();
  await expect(
    page.getByText("3 leads found, 3 would change. Nothing has changed yet.", { exact: true }),
  ).toBeVisible();
  await page.getByRole("button", { name: "Change 3 leads", exact: true }).click();
  await expect(page.getByText("3 leads changed.", { exact: true })).toBeVisible();
  for (const { name, notes, tags, fields } of await leadsOf(api))
    expect({ notes, tags: tags.map((tag) => tag.name), city: fields[city.id] }).toEqual({
      notes: `Note of ${name}, edited`,
      tags: ["Fair"],
      city: `City of ${name}`,
    });
});
