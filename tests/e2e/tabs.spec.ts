import type { BrowserContext, Page } from "@playwright/test";
import { expect, logIn, test } from "./fixtures.ts";

const TABS = 3;
const isStream = (url: string) => new URL(url).pathname === "/api/events";
const active = (page: Page) => page.getByText("✅ Subscription Active", { exact: true });
const ended = (page: Page) => page.getByText("🚫 Subscription Required", { exact: true });

/** Opens the billing screen, which shows the subscription's status, in a new tab. Counts its event streams. */
async function openTab(context: BrowserContext) {
  const page = await context.newPage();
  let streams = 0;
  page.on("request", (request) => (streams += isStream(request.url()) ? 1 : 0));
  await page.goto("/subscribe");
  return { page, streams: () => streams };
}

test("shares one event stream, and hands it to the next tab", async ({ page, context, subscriber, sandbox }) => {
  await logIn(page, subscriber);
  await page.goto("/healthz");
  const tabs: Awaited<ReturnType<typeof openTab>>[] = [];
  for (let index = 0; index < TABS; index++) tabs.push(await openTab(context));
  const total = () => tabs.map(({ streams }) => streams()).reduce((sum, count) => sum + count, 0);
  await expect.poll(total).toBe(1);

  await sandbox.subscribe(subscriber.email, "canceled");
  for (const tab of tabs) await expect(ended(tab.page)).toBeVisible();
  expect(total()).toBe(1);

  const leader = tabs.findIndex(({ streams }) => streams() > 0);
  await tabs.splice(leader, 1)[0]?.page.close();
  // The change happens during the hand-over, so the next tab must request what it missed.
  await sandbox.subscribe(subscriber.email, "active");
  for (const tab of tabs) await expect(active(tab.page)).toBeVisible();
  expect(total()).toBe(1);
});

test("delivers only the next user's events after a sign-out", async ({
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
  const statuses = await other.page.evaluateHandle(recordStatuses, second);
  await sandbox.subscribe(subscriber.email, "unpaid");
  const headers = { apikey: "leadloom-anon", authorization: `Bearer ${api.token}` };
  const own = async () => (await request.get(`${product.url}/rest/v1/subscriptions?select=status`, { headers })).json();
  await expect.poll(own).toEqual([{ status: "unpaid" }]);
  await sandbox.subscribe(next.email, "canceled");
  await expect(ended(other.page)).toBeVisible();
  const readStatuses = () => statuses.evaluate((all) => all);
  await expect.poll(readStatuses).toContain("canceled");
  expect(await readStatuses()).not.toContain("unpaid");
});

const heldLocks = async () =>
  ((await navigator.locks.query()).held ?? []).map(({ name }) => name).filter((name) => name?.startsWith("leadloom."));

/** Records every subscription status that the tabs of the browser send each other under the lock's name. */
const recordStatuses = (name: string) => {
  const statuses: string[] = [];
  new BroadcastChannel(name).addEventListener("message", (message) => {
    const { data: word } = message as unknown as { data: { kind: string; data: { status?: string } } };
    if (word.kind === "event" && word.data.status !== undefined) statuses.push(word.data.status);
  });
  return statuses;
};
