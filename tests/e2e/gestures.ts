import type { Page } from "@playwright/test";
import { type Api, addStages, expect } from "./fixtures.ts";

/** Creates two of everything that can be deleted. */
export async function addDeletables(api: Api): Promise<void> {
  await addStages(api, "Interested", "Won");
  const [first] = await api.call<{ id: string }[]>("GET", "/stages");
  for (const [order, message] of ["First", "Second"].entries()) {
    const step = { stage_id: first?.id ?? "", message, followup_order: order, delay_hours: 24 };
    await api.call("POST", "/followups", undefined, step);
  }
  for (const channel of ["@first_team", "@second_team"]) {
    const rule = { type: "stuck", stage: "Interested", delay_days: 3, channel_id: channel, template: "{name}" };
    await api.call("POST", "/reminders", rule);
  }
  for (const name of ["one", "two"]) {
    await api.call("POST", "/snippets", { title: `Snippet ${name}`, text: "Hello" });
    await api.call("POST", "/tags", { name: `Tag ${name}` });
    await api.call("POST", "/fields", { name: `Field ${name}`, type: "text" });
    await api.call("POST", "/views", { name: `View ${name}` });
    await api.call("POST", "/keys", { name: `Key ${name}`, scopes: ["read"] });
    const hook = { url: `https://${name}.example.com/`, events: ["lead.created"], enabled: false };
    await api.call("POST", "/webhooks", hook);
  }
}

export const at = (path: string) => (page: Page) => page.goto(path);
export const buttons = (page: Page, name: string | RegExp) =>
  page.getByRole("main").getByRole("button", { name, exact: true });
export const press = (name: string | RegExp) => (page: Page) => buttons(page, name).first().click();
export const fill = (name: string, text: string) => (page: Page) =>
  page.getByRole("main").getByRole("textbox", { name, exact: true }).first().fill(text);
export async function toViews(page: Page): Promise<void> {
  await page.goto("/leads");
  for (const name of ["Tools", "Views"]) {
    const toggle = buttons(page, name);
    await expect(toggle).toHaveAttribute("aria-expanded", /true|false/);
    if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
  }
}
export const alert = (page: Page) => page.getByRole("alertdialog");
export const answer = (page: Page) => alert(page).getByRole("button", { name: "OK", exact: true }).press("Enter");
