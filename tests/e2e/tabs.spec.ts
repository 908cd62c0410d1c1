import type { BrowserContext, Page } from "@playwright/test";
import { expect, logIn, menuLink, standStill, test } from "./fixtures.ts";
import { openSwallowingProxy } from "./swallowing-proxy.ts";

const TABS = 20;
const isStream = (url: string) => new URL(url).pathname === "/api/events";
const active = (page: Page) => page.getByText("✅ Subscription Active");
const ended = (page: Page) => page.getByText("🚫 Subscription Required");

/** Opens the billing screen in a tab, which shows what the server tells of the subscription; counts its event streams. */
async function openTab(context: BrowserContext) {
  const page = await context.newPage();
  let streams = 0;
  page.on("request", (request) => (streams += isStream(request.url()) ? 1 : 0));
  await page.goto("/subscribe");
  return { page, streams: () => streams };
}

test("twenty tabs share one event stream, and another one takes it over when its tab closes", async ({
  page,
  context,
  subscriber,
  sandbox,
}) => {
  await logIn(page, subscriber);
  await page.goto("/healthz");
  const tabs: Awaited<ReturnType<typeof openTab>>[] = [];
  for (let index = 0; index < TABS; index++) tabs.push(await openTab(context));
  const total = () => tabs.map(({ streams }) => streams()).reduce((sum, count) => sum + count, 0);
  await expect.poll(total).toBe(1);

  await sandbox.subscribe(subscriber.email, "canceled");
  for (const tab of tabs) await expect(ended(tab.page)).toBeVisible();
  expect(total()).toBe(1);

  const holder = tabs.findIndex(({ streams }) => streams() > 0);
  await tabs.splice(holder, 1)[0]?.page.close();
  // Told in the very moment of the hand-over: whoever takes over asks for what was missed.
  await sandbox.subscribe(subscriber.email, "active");
  for (const tab of tabs) await expect(active(tab.page)).toBeVisible();
  expect(total()).toBe(1);
});

test("a person who signs out hears nothing more, and the next one their own events alone", async ({
  page,
  context,
  subscriber,
  sandbox,
  request,
  product,
  api,
}) => {
  const next = { ...subscriber, email: `next-${subscriber.email}` };
  await request.post(`${product.url}/auth/v1/signup`, {
    headers: { apikey: "leadloom-anon" },
    data: { email: next.email, password: next.password },
  });
  await sandbox.subscribe(next.email);
  await logIn(page, subscriber);
  const other = await openTab(context);
  await expect(active(other.page)).toBeVisible();
  await expect.poll(async () => other.page.evaluate(heldLocks)).toHaveLength(1);
  const [first] = await other.page.evaluate(heldLocks);
  await page.getByRole("button", { name: "Logout", exact: true }).click();
  await expect(other.page.getByRole("button", { name: "Login", exact: true })).toBeVisible();
  await expect.poll(async () => other.page.evaluate(heldLocks)).toEqual([]);

  await logIn(page, next);
  await other.page.goto("/subscribe");
  await expect(active(other.page)).toBeVisible();
  await expect.poll(async () => other.page.evaluate(heldLocks)).toHaveLength(1);
  const [second = ""] = await other.page.evaluate(heldLocks);
  expect(second).not.toEqual(first);
  const told = await other.page.evaluateHandle(statusesTold, second);
  await sandbox.subscribe(subscriber.email, "unpaid");
  const headers = { apikey: "leadloom-anon", authorization: `Bearer ${api.token}` };
  const own = async () => (await request.get(`${product.url}/rest/v1/subscriptions?select=status`, { headers })).json();
  await expect.poll(own).toEqual([{ status: "unpaid" }]);
  await sandbox.subscribe(next.email, "canceled");
  await expect(ended(other.page)).toBeVisible();
  const statuses = () => told.evaluate((all) => all);
  await expect.poll(statuses).toContain("canceled");
  expect(await statuses()).not.toContain("unpaid");
});

const heldLocks = async () =>
  ((await navigator.locks.query()).held ?? []).map(({ name }) => name).filter((name) => name?.startsWith("leadloom."));

/** Every status of a subscription that the browser's tabs tell each other of from now on, under the lock's name. */
const statusesTold = (name: string) => {
  const told: string[] = [];
  new BroadcastChannel(name).addEventListener("message", (message) => {
    const { data: word } = message as unknown as { data: { kind: string; data: { status?: string } } };
    if (word.kind === "event" && word.data.status !== undefined) told.push(word.data.status);
  });
  return told;
};

test("a stream that has silently died is replaced within 45 seconds, and what it swallowed is made up for", async ({
  page,
  subscriber,
  sandbox,
  product,
}) => {
  const proxy = await openSwallowingProxy(product.url);
  try {
    await page.clock.install();
    await page.goto(`${proxy.url}/login`);
    await page.getByLabel("Email").fill(subscriber.email);
    await page.getByLabel("Password").fill(subscriber.password);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await expect(page.getByText("Subscription: active")).toBeVisible();
    await menuLink(page, "Billing").click();
    await expect(active(page)).toBeVisible();
    await expect.poll(proxy.streams).toBe(1);
    await standStill(page);
    proxy.swallow();
    await sandbox.subscribe(subscriber.email, "canceled");
    await page.clock.runFor(5_000);
    await expect(active(page)).toBeVisible();
    expect(proxy.streams()).toBe(1);
    await page.clock.runFor(40_000);
    await page.clock.resume();
    await expect(ended(page)).toBeVisible();
    expect(proxy.streams()).toBe(2);
  } finally {
    await page.goto("about:blank");
    proxy.close();
  }
});

test("a page asks for its events again when the server was asked too often, and reads anew when it comes back", async ({
  page,
  context,
  subscriber,
}) => {
  await page.clock.install();
  let asked = 0;
  await page.route(
    (url) => isStream(url.href),
    (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      return route.fulfill({ status: 429, headers: { "retry-after": "90" }, json: { message: "Busy.", code: "busy" } });
    },
  );
  await logIn(page, subscriber);
  await menuLink(page, "Bulk Message").click();
  await menuLink(page, "Connect Telegram").click();
  await expect(page.getByRole("textbox", { name: /phone/i })).toBeVisible();
  await expect.poll(() => asked).toBe(1);
  await standStill(page);
  await page.clock.runFor(50_000);
  expect(asked).toBe(1);
  await page.clock.runFor(45_000);
  await page.clock.resume();
  await expect.poll(() => asked).toBe(2);

  const reads: string[] = [];
  page.on("request", (request) => reads.push(new URL(request.url()).pathname));
  const isReadAnew = () => reads.includes("/api/telegram/status");
  await context.setOffline(true);
  await context.setOffline(false);
  await expect.poll(isReadAnew).toBe(true);
  await expect.poll(() => asked).toBeGreaterThan(2);
  reads.length = 0;
  await page.evaluate(`for (const value of ["hidden", "visible"]) {
    Object.defineProperty(document, "visibilityState", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }`);
  await expect.poll(isReadAnew).toBe(true);
});
