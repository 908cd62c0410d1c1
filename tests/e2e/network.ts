import type { Page, Route } from "@playwright/test";

const user = {
  id: "3f0c8a51-7c1e-4a52-9a44-0c3f6d1f0a01",
  aud: "authenticated",
  email: "ada@example.com",
  app_metadata: {},
  user_metadata: {},
  created_at: "2026-01-01T00:00:00Z",
};

/** The fixed time of the page's clock, so that titles and expiry times are the same in every walk. */
const NOON = Date.parse("2026-11-21T12:00:00Z");

/** Returns a session as the Supabase client stores it, valid for a day from noon. */
const storedSession = () => ({
  access_token: "token-1",
  refresh_token: "refresh-1",
  token_type: "bearer",
  expires_in: 86_400,
  expires_at: NOON / 1000 + 86_400,
  user,
});
const SESSION_KEY = "sb-127-auth-token";

/** Sets the page's clock to noon; only `runFor` moves it. */
async function pauseAtNoon(page: Page): Promise<void> {
  // The clock runs between the two calls, and pauseAt refuses a time in the past.
  await page.clock.install({ time: NOON - 60_000 });
  await page.clock.pauseAt(NOON);
}

/** Makes each page load start at noon, signed in and with nothing else stored. */
export async function startSignedIn(page: Page): Promise<void> {
  await pauseAtNoon(page);
  await page.addInitScript(
    ([key, text]) => {
      // about:blank, between two screens, has no storage.
      if ((globalThis as { origin?: string }).origin === "null") return;
      localStorage.clear();
      sessionStorage.clear();
      localStorage.setItem(key, text);
    },
    [SESSION_KEY, JSON.stringify(storedSession())] as const,
  );
}

/** Answers requests before they reach a server: named calls wait until the test settles them, all others are answered at once. */
export class HeldNetwork {
  readonly #held = new Map<string, Route[]>();
  readonly #names: Record<string, string>;

  private constructor(names: Record<string, string>) {
    this.#names = names;
  }

  /** `names` maps `METHOD /path` to the name under which its calls are held. */
  static async of(page: Page, names: Record<string, string>): Promise<HeldNetwork> {
    const network = new HeldNetwork(names);
    await page.route(/\/(?:api|auth|rest)\//, (route) => network.#take(route));
    return network;
  }

  async #take(route: Route): Promise<void> {
    const request = route.request();
    const call = `${request.method()} ${new URL(request.url()).pathname}`;
    const name = this.#names[call];
    if (name !== undefined) this.#held.set(name, [...(this.#held.get(name) ?? []), route]);
    else if (call === "GET /rest/v1/subscriptions") await route.fulfill({ json: [{ status: "active" }] });
    else if (call.startsWith("HEAD ")) await route.fulfill({ headers: { "content-range": "*/0" } });
    else if (call === "GET /api/events") await route.fulfill({ status: 404, json: { message: "None.", code: "none" } });
    else await route.fulfill({ json: [] });
  }

  /** Answers the newest pending call with this name, as soon as there is one. */
  async settle(name: string, answer: Parameters<Route["fulfill"]>[0]): Promise<void> {
    for (let turn = 0; turn < 1_200; turn++) {
      const route = this.#held.get(name)?.pop();
      if (route) {
        // If the screen was left, its request was aborted.
        await route.fulfill(answer).catch(() => {});
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`${name} was never called`);
  }

  /** Opens an address as on a first visit: only the session is stored, and no call of an earlier screen is pending. */
  async open(page: Page, address: string): Promise<void> {
    await page.goto("about:blank");
    this.#held.clear();
    await page.goto(address);
  }

  /** Waits until a call with this name is pending. */
  async called(name: string): Promise<void> {
    for (let turn = 0; turn < 1_200; turn++) {
      if ((this.#held.get(name)?.length ?? 0) > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`${name} was never called`);
  }
}

/** Turns on save-data from the next load on: code of other screens loads only on request. */
export const enableSaveData = (page: Page): Promise<unknown> =>
  page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
