import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { connectAccount, expect, graveFaults, logIn, menuLink, test } from "./fixtures.ts";

/** Nothing serious for axe, nothing beyond the page's sides. */
async function expectSound(page: Page): Promise<void> {
  expect(await graveFaults(page)).toEqual([]);
  const width = await page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
  const [whole = 0, seen = 0] = width as number[];
  expect(whole).toBeLessThanOrEqual(seen);
}

const LOOKS = [
  { name: "wide-light", width: 1280, colorScheme: "light" },
  { name: "phone-dark", width: 390, colorScheme: "dark" },
] as const;

/** The screen as it stands, on a wide screen and on a phone. */
async function look(page: Page, shot: (name: string) => Promise<void>, what: string): Promise<void> {
  for (const { name, width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // Colours on their way from one look to the other are nobody's.
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
    await page.evaluate(
      "Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => null)",
    );
    await expectSound(page);
    await shot(`${what}-${name}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });

test("a key is made by keyboard alone, shown once, works by its scope, and is refused from its revocation on", async ({
  page,
  context,
  subscriber,
  api,
  product,
  shot,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  expect(await api.call("GET", "/keys")).toEqual([]);
  await logIn(page, subscriber);
  await page.goto("/settings");
  await page
    .getByRole("navigation", { name: "Settings" })
    .getByRole("link", { name: "API keys", exact: true })
    .press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: "API keys" })).toBeFocused();
  await button(page, "New key").press("Enter");
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
  await page.keyboard.type("Sheet");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("Sheet");
  const send = page.getByRole("checkbox", { name: "send" });
  await send.press("Space");
  await expect(page.getByText("can write to people in your name", { exact: false })).toBeVisible();
  await look(page, shot, "key-form");
  await send.press("Space");
  await page.getByRole("textbox", { name: "Name", exact: true }).press("Enter");
  const secretField = page.getByRole("textbox", { name: "Key", exact: true });
  await expect(secretField).toHaveValue(/^llk_/);
  await expect(page.getByRole("region", { name: /Your new key/ })).toBeFocused();
  await look(page, shot, "key-revealed");
  const secret = await secretField.inputValue();

  await menuLink(page, "Inbox").click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("shown only now");
  await question.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  await button(page, "Done").press("Enter");
  await expect(question).toContainText("You have not copied the key.");
  await question.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  await button(page, "Copy configuration").press("Enter");
  await expect(page.getByText("Copied.")).toBeVisible();
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
  await look(page, shot, "keys");
  await button(page, "Revoke Sheet").press("Enter");
  await expect(question).toContainText("Revoke the key 'Sheet'?");
  await question.getByRole("button", { name: "OK", exact: true }).press("Enter");
  await expect(page.getByText("The key 'Sheet' was revoked.")).toBeVisible();
  expect((await call("GET", "/leads?limit=10")).status).toEqual(401);
});

type Post = { headers: Record<string, string>; body: string };

/** Somebody's program that listens; it answers as `status` says. */
async function listen() {
  const posts: Post[] = [];
  const receiver = { posts, status: 200, url: "", close: () => server.close() };
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      posts.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(receiver.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

test("a webhook hears of a message, signed; its deliveries are seen live, with their bodies, sent again and tested", async ({
  page,
  sandbox,
  subscriber,
  api,
  shot,
}) => {
  const receiver = await listen();
  try {
    const phone = await connectAccount(api, sandbox);
    await logIn(page, subscriber);
    await page.goto("/settings#webhooks");
    await button(page, "New webhook").click();
    await page.getByRole("textbox", { name: "Address", exact: true }).fill("ftp://example.com");
    await page.getByRole("checkbox", { name: "message.received" }).check();
    await button(page, "Add webhook").click();
    await expect(page.getByRole("textbox", { name: "Address", exact: true })).toHaveAttribute("aria-invalid", "true");
    await look(page, shot, "webhook-form");
    await page.getByRole("textbox", { name: "Address", exact: true }).fill(receiver.url);
    await button(page, "Add webhook").click();
    const secretField = page.getByRole("textbox", { name: "Signing secret" });
    await expect(secretField).toHaveValue(/^whsec_/);
    const secret = await secretField.inputValue();
    await button(page, "Done").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "OK", exact: true }).click();
    await expect(secretField).toHaveCount(0);

    await page.getByRole("link", { name: `Deliveries to ${receiver.url}` }).click();
    await expect(page.getByRole("heading", { name: `Deliveries to ${receiver.url}` })).toBeFocused();
    await expect(page.getByText("Nothing yet.", { exact: false })).toBeVisible();
    await sandbox.receive(phone, { first_name: "Ann" }, "What does it cost?");
    const rows = page.getByRole("list", { name: "Deliveries", exact: true }).getByRole("listitem");
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText("Delivered");
    const [first] = receiver.posts;
    expect(new Webhook(secret).verify(first?.body ?? "", first?.headers ?? {})).toMatchObject({
      type: "message.received",
      data: { text: "What does it cost?" },
    });
    await button(page, /^Body of message\.received/).click();
    await expect(page.getByRole("region", { name: "Body", exact: true })).toContainText("What does it cost?");
    await expect(rows.first()).toContainText(first?.headers["webhook-id"] ?? "no id");

    await button(page, /^Send again: message\.received/).click();
    await expect(rows).toHaveCount(2);
    await expect
      .poll(() => receiver.posts.map(({ headers }) => headers["webhook-id"]))
      .toEqual(Array.from({ length: 2 }, () => first?.headers["webhook-id"]));
    await button(page, "Send a test event").click();
    await expect(rows).toHaveCount(3);
    await expect(rows.first()).toContainText("webhook.test");
    await expect(rows.first()).toContainText("Delivered");
    receiver.status = 500;
    await button(page, "Send a test event").click();
    await expect(rows).toHaveCount(4);
    await expect(rows.first()).toContainText("Failed");
    await expect(rows.first()).toContainText("500");
    await expect(rows.first()).toContainText("Next attempt");
    await look(page, shot, "deliveries");

    await page.getByRole("link", { name: "All webhooks" }).click();
    await button(page, `Disable: ${receiver.url}`).click();
    await expect(button(page, `Enable: ${receiver.url}`)).toBeVisible();
    await look(page, shot, "webhooks");
    await page.getByRole("link", { name: `Deliveries to ${receiver.url}` }).click();
    await expect(page.getByText("You disabled this webhook.", { exact: false })).toBeVisible();
    await expect(button(page, "Send a test event")).toHaveAttribute("aria-disabled", "true");
    await button(page, "Enable again").click();
    await expect(button(page, "Send a test event")).not.toHaveAttribute("aria-disabled", "true");
    await page.goBack();
    await button(page, `Delete ${receiver.url}`).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "OK", exact: true }).click();
    await expect(page.getByText("None yet.", { exact: false })).toBeVisible();
  } finally {
    receiver.close();
  }
});
