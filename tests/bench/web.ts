// npm run bench:web: what the page weighs, how often it asks, and how soon it answers, against its budgets.
import { chromium, request, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { ensureWebBuild } from "../../scripts/build.mjs";
import { chromiumPath, launchArgs } from "../../scripts/chromium.mjs";
import { connect } from "../../scripts/screenshots/story.ts";
import { Api, Product, Sandbox, logIn } from "../e2e/fixtures.ts";
import { BUDGETS, KB, weighWeb } from "./web-sizes.ts";

const LEADS = 120;
const RUNS = 7;
const PERSON = { email: "bench@example.com", password: "correct horse battery", name: "Bench" };
const PHONE = "+15550001111";

/** Runs in the page before it loads: when fifty rows stood, what shifted, and which tasks were long. */
const WATCH = `
  window.__bench = { shifts: 0, longTasks: 0 };
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) __bench.shifts += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => { __bench.longTasks += list.getEntries().length; }).observe({ type: "longtask", buffered: true });
  window.__stood = new Promise((stands) => {
    const watch = new MutationObserver(() => {
      if (document.querySelectorAll("tbody tr").length < 50) return;
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(() => stands(performance.now())));
    });
    watch.observe(document, { childList: true, subtree: true });
  });
`;
type Seen = { shifts: number; longTasks: number };
type Visit = Seen & { fifty: number; nextPage: number; apply: number; heap: number };

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const kb = (bytes: number) => `${(bytes / KB).toFixed(1)} KB`;

function line(what: string, figure: string, budget?: string, isKept = true): void {
  console.log(`${isKept ? " " : "✗"} ${what.padEnd(52)} ${figure.padStart(12)}${budget ? `   budget ${budget}` : ""}`);
}
const bytes = (what: string, size: number, budget: number) => line(what, kb(size), kb(budget), size <= budget);

function reportSizes(): void {
  const { login, leads, css, charts, extras } = weighWeb();
  console.log("JS and CSS after gzip");
  bytes("login screen", login, BUDGETS.login);
  bytes("leads list", leads, BUDGETS.leads);
  for (const [route, size] of Object.entries(extras))
    if (size > KB / 4) bytes(`${route}, beside the list's`, size, BUDGETS.routeExtra);
  bytes("charts", charts, BUDGETS.charts);
  bytes("all CSS", css, BUDGETS.css);
}

/** Counts what a cold visit asks for until it stands, the event stream and the icon aside. */
async function countRequests(
  context: BrowserContext,
  path: string,
  isReady: (page: Page) => Promise<void>,
): Promise<number> {
  const page = await context.newPage();
  let count = 0;
  page.on("request", (call) => {
    if (!/\/api\/events|favicon/.test(call.url())) count++;
  });
  await page.goto(path);
  await isReady(page);
  await page.close();
  return count;
}

/** One cold visit to the leads list, the next page, and a filter applied; times in milliseconds. */
async function visit(context: BrowserContext): Promise<Visit> {
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  await page.goto("/leads");
  const fifty = await page.evaluate<number>("__stood");
  // What comes late, such as the event stream, may still shift or block.
  await page.waitForTimeout(1_500);
  const client = await context.newCDPSession(page);
  await client.send("HeapProfiler.collectGarbage");
  await client.send("Performance.enable");
  const { metrics } = await client.send("Performance.getMetrics");
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN;
  const { shifts, longTasks } = await page.evaluate<Seen>("__bench");
  /** From the press to the change on the page, by the page's own clock. */
  const press = (button: string, isDone: string) =>
    page.evaluate<number>(`new Promise((done) => {
      const begun = performance.now();
      const watch = new MutationObserver(() => {
        if (!(${isDone})) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
      });
      watch.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
      [...document.querySelectorAll("button")].find((one) => one.textContent.includes(${JSON.stringify(button)})).click();
    })`);
  const settled = "document.querySelector('table').getAttribute('aria-busy') !== 'true'";
  const nextPage = await press("Next", `${settled} && document.body.textContent.includes("Page 2 of")`);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Lead 7");
  const apply = await press("Apply Filters", `${settled} && document.querySelectorAll("tbody tr").length < 50`);
  await page.close();
  return { fifty, nextPage, apply, heap, shifts, longTasks };
}

async function reportVisits(browser: Browser, product: Product): Promise<void> {
  const calls = await request.newContext();
  const sandbox = new Sandbox(calls, product.url);
  const headers = { apikey: "leadloom-anon" };
  const { email, password, name } = PERSON;
  const answer = await calls.post(`${product.url}/auth/v1/signup`, {
    headers,
    data: { email, password, data: { name } },
  });
  const api = new Api(calls, product.url, ((await answer.json()) as { access_token: string }).access_token);
  await sandbox.subscribe(email);
  await connect(api, sandbox, PHONE);
  for (let index = 0; index < LEADS; index++) await sandbox.receive(PHONE, { first_name: `Lead ${index}` }, "Hello");
  while ((await api.call<{ total: number }>("GET", "/leads?limit=1")).total < LEADS)
    await new Promise((resolve) => setTimeout(resolve, 100));

  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
  });
  console.log("\nRequests of a cold visit");
  const forLogin = await countRequests(context, "/login", (page) => page.getByLabel("Password").waitFor());
  line("login screen", String(forLogin), "5", forLogin <= 5);
  const page = await context.newPage();
  await logIn(page, PERSON);
  await page.close();
  const forLeads = await countRequests(context, "/leads", (list) => list.getByRole("row").nth(50).waitFor());
  line("leads list", String(forLeads), "8", forLeads <= 8);

  const seen: Visit[] = [];
  for (let run = 0; run < RUNS; run++) seen.push(await visit(context));
  const of = (read: (one: Visit) => number) => median(seen.map(read));
  console.log(`\nThe leads list, median of ${RUNS} visits`);
  line("50 leads visible from navigation", `${of(({ fifty }) => fifty).toFixed(0)} ms`);
  line("next page", `${of(({ nextPage }) => nextPage).toFixed(0)} ms`);
  line("Apply to the updated list", `${of(({ apply }) => apply).toFixed(0)} ms`);
  const shifts = Math.max(...seen.map((one) => one.shifts));
  line("layout shift, worst", shifts.toFixed(3), "0", shifts === 0);
  const longTasks = of((one) => one.longTasks);
  line("tasks over 50 ms", String(longTasks), "0", longTasks === 0);
  const heap = of((one) => one.heap);
  line("JS heap after the list", `${(heap / KB / KB).toFixed(1)} MB`, "3.9 MB", heap <= 0.25 * 15.4 * KB * KB);
  await context.close();
  await calls.dispose();
}

await ensureWebBuild();
reportSizes();
const product = await Product.start();
const browser = await chromium.launch({ executablePath: await chromiumPath(), args: launchArgs });
try {
  await reportVisits(browser, product);
} finally {
  await browser.close();
  await product.stop();
}
