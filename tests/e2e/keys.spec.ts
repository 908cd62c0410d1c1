import type { Page } from "@playwright/test";
import { english } from "../support/english.ts";
import { SEND_WARNING } from "../../src/machines/api-key/api-key.texts.ts";
import { expect, logIn, menuLink, test } from "./fixtures.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("creates, copies and revokes an API key by keyboard, and shows its secret once", async ({
  page,
  context,
  subscriber,
  api,
  product,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  expect(await api.call("GET", "/keys")).toEqual([]);
  await logIn(page, subscriber);
  await page.goto("/settings");
  await page
    .getByRole("navigation", { name: "Settings", exact: true })
    .getByRole("link", { name: "API keys", exact: true })
    .press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: "API keys", exact: true })).toBeFocused();
  await button(page, "New key").press("Enter");
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
  await page.keyboard.type("Sheet");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Sheet");
  const send = page.getByRole("checkbox", { name: "send", exact: true });
  await send.press("Space");
  await expect(page.getByText(english(SEND_WARNING), { exact: true })).toBeVisible();
  await send.press("Space");
  await page.getByRole("textbox", { name: "Name", exact: true }).press("Enter");
  const secretField = page.getByRole("textbox", { name: "Key", exact: true });
  await expect(secretField).toHaveValue(/^llk_/);
  await expect(page.getByRole("region", { name: "Your new key ‘Sheet’", exact: true })).toBeFocused();
  const secret = await secretField.inputValue();

  await menuLink(page, "Inbox").click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("shown only now");
  await question.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  await button(page, "Done").press("Enter");
  await expect(question).toContainText("You have not copied the key.");
  await question.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  await button(page, "Copy configuration").press("Enter");
  await expect(page.getByText("Copied.", { exact: true })).toBeVisible();
  const config: unknown = JSON.parse(await page.evaluate("navigator.clipboard.readText()"));
  expect(config).toMatchObject({
    mcpServers: { leadloom: { url: `${product.url}/mcp`, headers: { Authorization: `Bearer ${secret}` } } },
  });
  await button(page, "Done").press("Enter");
  await expect(button(page, "New key")).toBeFocused();
  expect(await page.content()).not.toContain(secret);
  expect(await page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")).not.toContain(secret);

  const call = (method: string, address: string) =>
    fetch(`${product.url}/api${address}`, { method, headers: { authorization: `Bearer ${secret}` } });
  expect(await (await call("GET", "/leads?limit=10")).json()).toMatchObject({ leads: [], total: 0 });
  const refused = await call("POST", "/stages");
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, "missing_scope"]);

  await page.reload();
  await expect(page.getByRole("listitem").filter({ hasText: "Sheet" })).toContainText("last used");
  await button(page, "Revoke Sheet").press("Enter");
  await expect(question).toContainText("Revoke the key 'Sheet'?");
  await question.getByRole("button", { name: "OK", exact: true }).press("Enter");
  await expect(page.getByText("The key 'Sheet' was revoked.", { exact: true })).toBeVisible();
  expect((await call("GET", "/leads?limit=10")).status).toEqual(401);
});
