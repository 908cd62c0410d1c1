import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from "@playwright/test";
import { type PageRequest, Network } from "./network.ts";
import { PROBE, type Seen } from "./probe.ts";
import { calm } from "./calm.ts";

export type Profile = { name: string; cpu: number; mobile?: { latencyMs: number; downKbps: number; upKbps: number } };

/** A fast machine on loopback, a processor with a quarter of the speed, and the latter on a slow mobile network. */
export const PROFILES: readonly Profile[] = [
  { name: "full speed", cpu: 1 },
  { name: "4x slower", cpu: 4 },
  { name: "slow mobile", cpu: 4, mobile: { latencyMs: 150, downKbps: 1_600, upKbps: 750 } },
];

export type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;
type Opened = { page: Page; client: CDPSession; network: Network };

/** Opens a page in a fresh context and passes it on: neither responses nor compiled code are cached, as on a first visit. */
export async function inFreshContext<T>(
  browser: Browser,
  baseURL: string,
  profile: Profile,
  storageState: StorageState | null,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  await calm();
  const options: BrowserContextOptions = {
    baseURL,
    viewport: { width: 1280, height: 800 },
    locale: "en-US",
    timezoneId: "UTC",
    ...(storageState && { storageState }),
  };
  const context = await browser.newContext(options);
  context.setDefaultTimeout(30_000);
  try {
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    const network = new Network(client);
    await client.send("Network.enable");
    await client.send("Performance.enable");
    await client.send("Emulation.setCPUThrottlingRate", { rate: profile.cpu });
    if (profile.mobile)
      await client.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: profile.mobile.latencyMs,
        downloadThroughput: (profile.mobile.downKbps * 1_000) / 8,
        uploadThroughput: (profile.mobile.upKbps * 1_000) / 8,
      });
    await context.addInitScript(PROBE);
    return await work({ page, client, network });
  } finally {
    await context.close();
  }
}

export type Action = "next page" | "filter";
export type Visit = Seen & {
  /** Time from navigation to the first frame with the expected content, in milliseconds. */
  ready: number;
  /** Total of main-thread task time beyond 50 ms each, from navigation until the page is idle. */
  blocked: number;
  /** JS heap in bytes after a garbage collection. */
  heap: number;
  requests: PageRequest[];
  actions: Partial<Record<Action, number>>;
};

const ROWS = `[...document.querySelectorAll("tbody tr")]`;

/** A cold visit to the login screen: ready when its button is shown. */
export const visitLogin = (browser: Browser, baseURL: string, profile: Profile): Promise<Visit> =>
  inFreshContext(browser, baseURL, profile, null, (opened) =>
    load(opened, "/login", `document.querySelector("form button") !== null`),
  );

/** A cold visit to the leads list, signed in: ready with fifty rows; then the next page, then a filter. */
export const visitList = (
  browser: Browser,
  baseURL: string,
  profile: Profile,
  signedIn: StorageState,
): Promise<Visit> =>
  inFreshContext(browser, baseURL, profile, signedIn, async (opened) => {
    const { page, network } = opened;
    const visit = await load(opened, "/leads", `document.querySelectorAll("tbody tr").length >= 50`);
    if (profile.mobile) return visit;
    const next = page.getByRole("button", { name: "Next" });
    visit.actions["next page"] = await act(opened, 50, "", () => next.click());
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("anna");
    await network.settled();
    visit.actions.filter = await act(opened, 1, "anna", () => name.press("Enter"));
    return visit;
  });

/** A page is idle when it sent no request for this long. */
const CALM_MS = 800;

async function load({ page, client, network }: Opened, path: string, isReady: string): Promise<Visit> {
  await page.goto(path, { waitUntil: "commit" });
  const ready = await inTime(path, page.evaluate<number>(`__bench.when(() => ${isReady})`));
  // Loads Playwright's own code into the page, 0.85 MB of heap, so that every visit includes it.
  await page.locator("body").waitFor();
  // Late work, such as the event stream, may still shift or block the page.
  await page.waitForTimeout(CALM_MS);
  await network.settled(CALM_MS);
  const seen = await page.evaluate<Seen>("__bench");
  await client.send("HeapProfiler.collectGarbage");
  await client.send("HeapProfiler.collectGarbage");
  const { metrics } = await client.send("Performance.getMetrics");
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN;
  const blocked = seen.tasks.reduce((sum, task) => sum + Math.max(0, task - 50), 0);
  return { ...seen, ready, blocked, heap, requests: network.counted(), actions: {} };
}

const PATIENCE_MS = 20_000;

/** Resolves like the promise, or rejects after a time limit with an error that names it. */
export async function inTime<T>(what: string, promised: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no result within ${PATIENCE_MS / 1_000} s.`)), PATIENCE_MS);
  });
  return Promise.race([promised, late]).finally(() => clearTimeout(timer));
}

/** Returns the time from the last key or pointer event to the frame whose rows have changed and all contain `contained`. */
async function act(
  { page, network }: Opened,
  atLeast: number,
  contained: string,
  gesture: () => Promise<void>,
): Promise<number> {
  await page.evaluate(`{
    const text = () => ${ROWS}.map((row) => row.textContent);
    const before = text().join("\\n");
    __bench.updated = __bench.when(() => {
      const now = text();
      return now.length >= ${atLeast} && now.join("\\n") !== before
        && now.every((row) => row.toLowerCase().includes(${JSON.stringify(contained)}));
    }).then((end) => end - __bench.input);
    undefined;
  }`);
  await gesture();
  const time = await inTime("the list after a gesture", page.evaluate<number>("__bench.updated"));
  await network.settled();
  return time;
}
