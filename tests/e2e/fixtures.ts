import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import type { Word } from "../../scripts/screenshots/screens.ts";
import { freePort } from "../support/ports.ts";
import { test as base, expect, type APIRequestContext, type Locator, type Page } from "@playwright/test";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A real process of the product with its own data folder, as `npm start` runs it. */
export class Product {
  readonly url: string;
  readonly #port: number;
  readonly #dataDir: string;
  #process: ChildProcess | null = null;
  #output = "";

  private constructor(port: number, dataDir: string) {
    this.#port = port;
    this.#dataDir = dataDir;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<Product> {
    const product = new Product(await freePort(), fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-e2e-")));
    await product.start();
    return product;
  }

  async start(): Promise<void> {
    const child = spawn(
      path.join(root, "node_modules/.bin/node"),
      ["--disable-warning=ExperimentalWarning", "server/main.ts"],
      {
        cwd: root,
        env: {
          ...process.env,
          PORT: String(this.#port),
          LEADLOOM_DATA: this.#dataDir,
          LOG_LEVEL: "error",
          NODE_ENV: "development",
          // The webhook receivers run on this machine.
          WEBHOOK_ALLOW_PRIVATE: "1",
          // A busy machine delays the event loop, which would trigger load shedding.
          SHED_ABOVE_MS: "0",
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    this.#process = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
    for (const end = Date.now() + 150_000; ;) {
      const isReady = await fetch(`${this.url}/readyz`)
        .then(({ ok }) => ok)
        .catch(() => false);
      if (isReady) return;
      if (Date.now() > end || child.exitCode !== null) throw new Error(`The product did not start:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Kills the process at once, like a crash. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Stops the process gracefully and keeps its data; returns the data folder. `start()` continues from there. */
  async pause(): Promise<string> {
    await this.#end("SIGTERM");
    return this.#dataDir;
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    fs.rmSync(this.#dataDir, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
    this.#process = null;
  }
}

/** Everything on the other side of the screen: phones, people who write, and the clock. */
export class Sandbox {
  readonly #request: APIRequestContext;
  readonly #url: string;
  constructor(request: APIRequestContext, url: string) {
    this.#request = request;
    this.#url = url;
  }

  async call<T>(method: "GET" | "POST", address: string, data?: unknown): Promise<T> {
    const answer = await this.#request.fetch(`${this.#url}/sandbox${address}`, {
      method,
      ...(data === undefined ? {} : { data }),
    });
    expect(answer.ok(), `${method} ${address}: ${await answer.text()}`).toBe(true);
    return (await answer.json()) as T;
  }
  #account = (phone: string) => `/telegram/accounts/${encodeURIComponent(phone)}`;
  createAccount = (input: { phone: string; password?: string; hint?: string }) =>
    this.call("POST", "/telegram/accounts", input);
  loginCode = async (phone: string) =>
    (await this.call<{ login_code: string | null }>("GET", this.#account(phone))).login_code ?? "";
  receive = (
    phone: string,
    from: { first_name: string; last_name?: string; username?: string; user_id?: number; is_contact?: boolean },
    text: string,
  ) => this.call<{ user_id: number; message_id: number }>("POST", `${this.#account(phone)}/receive`, { from, text });
  sent = (phone: string) =>
    this.call<{ to_user_id: number; text: string; media_type: string | null; at: string }[]>(
      "GET",
      `${this.#account(phone)}/sent`,
    );
  scan = (phone: string, qrUrl: string) => this.call("POST", `${this.#account(phone)}/scan`, { qr_url: qrUrl });
  advance = (seconds: number) => this.call("POST", "/clock", { advance_seconds: seconds });
  now = async () => new Date((await this.call<{ now: string }>("GET", "/clock")).now);
  subscribe = (email: string, status = "active") =>
    this.call("POST", `/billing/subscriptions/${encodeURIComponent(email)}`, { status });
}

export type Person = { email: string; password: string; name: string };

/** API calls of a signed-in user, to set up a test. */
export class Api {
  readonly #request: APIRequestContext;
  readonly #url: string;
  readonly #renew: (() => Promise<string>) | null;
  token: string;
  /** @param renew signs in again, for a test that moves the clock past the token's expiry */
  constructor(request: APIRequestContext, url: string, token: string, renew: (() => Promise<string>) | null = null) {
    this.#request = request;
    this.#url = url;
    this.token = token;
    this.#renew = renew;
  }
  /** Sends `multipart` fields as a form, `data` as JSON. */
  async call<T>(
    method: string,
    address: string,
    data?: unknown,
    multipart?: Record<string, string | number | boolean>,
  ): Promise<T> {
    const send = () =>
      this.#request.fetch(`${this.#url}/api${address}`, {
        method,
        headers: { authorization: `Bearer ${this.token}` },
        ...(data === undefined ? {} : { data }),
        ...(multipart === undefined ? {} : { multipart }),
      });
    let answer = await send();
    if (answer.status() === 401 && this.#renew !== null) {
      this.token = await this.#renew();
      answer = await send();
    }
    expect(answer.ok(), `${method} ${address}: ${await answer.text()}`).toBe(true);
    return (await answer.json()) as T;
  }
}

type WorkerFixtures = { product: Product };
type TestFixtures = {
  sandbox: Sandbox;
  person: Person;
  problems: string[];
  api: Api;
  subscriber: Person;
  phone: string;
  receiveLeads: (names: string[], total?: number) => Promise<number[]>;
};

/** A browser with a running product. A test fails when the page logs an error or has an uncaught one. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures a function needs from its destructured first parameter
    async ({}, use) => {
      const product = await Product.start();
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  sandbox: async ({ request, product }, use) => use(new Sandbox(request, product.url)),
  // oxlint-disable-next-line no-empty-pattern -- as above
  person: async ({}, use) => {
    const id = randomBytes(5).toString("hex");
    await use({ email: `ada-${id}@example.com`, password: "correct horse battery", name: "Ada Lovelace" });
  },
  /** A user with an active subscription, not yet signed in on the page. */
  subscriber: async ({ person, request, product, sandbox }, use) => {
    const { email, password, name } = person;
    const answer = await request.post(`${product.url}/auth/v1/signup`, {
      headers: { apikey: "leadloom-anon" },
      data: { email, password, data: { name } },
    });
    expect(answer.ok()).toBe(true);
    await sandbox.subscribe(email);
    await use(person);
  },
  /** The API calls of the subscriber. */
  api: async ({ subscriber: { email, password }, request, product }, use) => {
    const signIn = async () => {
      const answer = await request.post(`${product.url}/auth/v1/token?grant_type=password`, {
        headers: { apikey: "leadloom-anon" },
        data: { email, password },
      });
      return ((await answer.json()) as { access_token: string }).access_token;
    };
    await use(new Api(request, product.url, await signIn(), signIn));
  },
  /** The phone of the subscriber's connected Telegram account. */
  phone: async ({ api, sandbox }, use) => use(await connectAccount(api, sandbox)),
  /** Sends a message from each person to the phone; resolves with their Telegram ids once there are `total` leads. */
  receiveLeads: async ({ api, sandbox, phone }, use) => {
    await use(async (names, total = names.length) => {
      const ids: number[] = [];
      for (const name of names) ids.push((await sandbox.receive(phone, { first_name: name }, "Hello")).user_id);
      await expect.poll(() => api.call("GET", "/leads?limit=1"), { timeout: 60_000 }).toMatchObject({ total });
      return ids;
    });
  },
  problems: [
    async ({ page }, use) => {
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
      page.on("console", (message) => {
        // The browser itself logs refused requests; a test checks how the page reacts to them.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
          problems.push(message.text());
      });
      await use(problems);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Returns the serious faults that axe finds on the current page. */
export async function graveFaults(page: Page): Promise<string[]> {
  // The page has no frames. Collecting results from frames would open another page each time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return grave.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ""}`);
}

/** Returns the menu's link to a screen. The main part may contain links whose names include the screen's name. */
export const menuLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name, exact: true });

/** Returns the row of the leads list with this name. */
export const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

/** Signs in through the login screen, which `word` translates. */
export async function logIn(page: Page, person: Person, word: Word = (english) => english): Promise<void> {
  await page.goto("/login");
  await page.getByLabel(word("Email"), { exact: true }).fill(person.email);
  await page.getByLabel(word("Password"), { exact: true }).fill(person.password);
  await page.getByRole("button", { name: word("Login"), exact: true }).click();
  await expect(page).toHaveURL(/\/(dashboard|subscribe)$/);
}

/** Connects the account by login code through the connect screen. */
export async function connectByCode(page: Page, sandbox: Sandbox, phone: string): Promise<void> {
  await page.goto("/connect-telegram");
  await page.getByRole("textbox", { name: "Phone number", exact: true }).fill(phone);
  await page.getByRole("button", { name: "Send Login Code", exact: true }).click();
  const codeField = page.getByRole("textbox", { name: "Login code", exact: true });
  await expect(codeField).toBeVisible();
  await codeField.fill(await sandbox.loginCode(phone));
  await page.getByRole("button", { name: "Confirm Code", exact: true }).click();
  await expect(page.getByRole("button", { name: "Disconnect", exact: true })).toBeVisible();
}

/** Connects a new phone through the API; returns its number. */
export async function connectAccount(api: Api, sandbox: Sandbox): Promise<string> {
  const phone = newPhone();
  await api.call("POST", "/telegram/send-code", { phone });
  await api.call("POST", "/telegram/verify-code", { phone, code: await sandbox.loginCode(phone) });
  return phone;
}

/** The keywords of added stages, in their order. */
const KEYWORDS = ["price", "paid"];

/** Adds stages after the first one, which the first request creates. */
export async function addStages(api: Api, ...names: string[]): Promise<void> {
  await api.call("GET", "/stages");
  for (const [index, name] of names.entries())
    await api.call("POST", "/stages", { name, keywords: [KEYWORDS[index]], order: index + 2, color: "#0b6e5f" });
}
/** Returns where an element is on the screen. @throws when it is not visible */
export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("it is not on the screen");
  return { ...box, end: box.x + box.width };
}

let phones = 1_000_000;
export const newPhone = (): string => `+1555${(phones += 1)}`;
