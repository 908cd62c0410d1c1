// npm run screenshots: runs the product in its own data folder, simulates a month of use, and takes the README's pictures again.
// npm run screenshots -- --out DIR [--language ar] [screen ...]: all screens in a language, wide and narrow.
import { globSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { chromium, request, type Browser, type Page } from "@playwright/test";
import { parsePo } from "pofile-ts";
import { LOCALE_TAGS, isLocale } from "../domain/locales.ts";
import { Api, Product, Sandbox } from "../tests/e2e/fixtures.ts";
import { readArguments, refuseArguments } from "./arguments.mjs";
import { ensureWebBuild } from "./build.mjs";
import { chromiumPath, launchArgs } from "./chromium.mjs";
import { SCREENS, type Screen, type Word } from "./screenshots/screens.ts";
import { tellStory } from "./screenshots/story.ts";

const root = path.join(import.meta.dirname, "..");
const SELLER = { email: "maria@example.com", password: "correct horse battery", name: "Maria Keller" };
const NEWCOMER = { email: "tom@example.com", password: "correct horse battery", name: "Tom Baker" };
const USAGE = "npm run screenshots -- [--out FOLDER [--language LANGUAGE]] [screen ...]";
const PHONE = "+4915550001234";

const LOOKS = [
  { width: "wide", colorScheme: "light" },
  { width: "wide", colorScheme: "dark" },
  { width: "narrow", colorScheme: "light" },
  { width: "narrow", colorScheme: "dark" },
] as const;
type Look = (typeof LOOKS)[number];

/** The names of the pictures that the README shows, such as `leads-wide-light.png`. */
const inReadme = new Set(
  readFileSync(path.join(root, "README.md"), "utf8")
    .matchAll(/docs\/screenshots\/([\w-]+\.png)/g)
    .map(([, name]) => name),
);

const fileOf = (screen: Pick<Screen, "name">, { width, colorScheme }: Look) =>
  `${screen.name}-${width}-${colorScheme}.png`;

function options() {
  const { values, positionals } = readArguments(USAGE, {
    options: { language: { type: "string" }, out: { type: "string" } },
    allowPositionals: true,
  });
  const { language, out } = values;
  const unknown = positionals.filter((name) => !SCREENS.some((screen) => screen.name === name));
  if (unknown.length > 0) {
    const known = SCREENS.map(({ name }) => name).join(", ");
    refuseArguments(`There is no screen ${unknown.join(" or ")}, but ${known}.`, USAGE);
  }
  if (language !== undefined && !isLocale(language))
    refuseArguments(`--language takes one of ${LOCALE_TAGS.join(", ")}.`, USAGE);
  if (language !== undefined && out === undefined)
    refuseArguments("--language needs --out, a folder for its pictures.", USAGE);
  const absent = positionals.filter((name) => !LOOKS.some((look) => inReadme.has(fileOf({ name }, look))));
  if (out === undefined && absent.length > 0)
    refuseArguments(`The README shows no picture of ${absent.join(" or ")}. Add --out, a folder for it.`, USAGE);
  return { language: language ?? null, out: out ?? null, wanted: positionals };
}

/** Returns a language's texts by the English ones; English without a language. */
function translatorOf(language: string | null): Word {
  const items = globSync(path.join(root, "locales", language ?? "none", "*.po")).flatMap(
    (file) => parsePo(readFileSync(file, "utf8")).items,
  );
  const known = new Map(items.map(({ msgid, msgstr: [text] }) => [msgid, text]));
  return (english) => known.get(english) || english;
}

const { language, out, wanted } = options();
const folder = out ?? path.join(root, "docs", "screenshots");
const word = translatorOf(language);

const isShot = (screen: Screen, look: Look): boolean =>
  (wanted.length === 0 || wanted.includes(screen.name)) &&
  (out === null ? inReadme.has(fileOf(screen, look)) : language === null || look.colorScheme === "light");

/** Opens a page in the given look with its clock set to the sandbox's. */
async function openPage(browser: Browser, baseURL: string, now: string, { width, colorScheme }: Look): Promise<Page> {
  const viewport = width === "wide" ? { width: 1280, height: 800 } : { width: 390, height: 844 };
  // Tall enough to show the whole screen for checking a translation.
  if (language !== null) viewport.height = 2_400;
  const context = await browser.newContext({
    baseURL,
    viewport,
    colorScheme,
    locale: language ?? "en-GB",
    timezoneId: "UTC",
  });
  const page = await context.newPage();
  await page.clock.install({ time: new Date(now) });
  return page;
}

async function signIn(page: Page, { email, password }: typeof SELLER): Promise<void> {
  await page.goto("/login");
  await page.getByLabel(word("Email"), { exact: true }).fill(email);
  await page.getByLabel(word("Password"), { exact: true }).fill(password);
  await page.getByRole("button", { name: word("Login"), exact: true }).click();
  await page.waitForURL(/\/(dashboard|subscribe)$/);
}

async function picture(page: Page, screen: Screen, look: Look): Promise<void> {
  await page.goto(screen.path);
  await screen.shows(page, word);
  // The event stream stays open, so the network may never become idle.
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
  const file = fileOf(screen, look);
  await page.screenshot({ path: path.join(folder, file), animations: "disabled", caret: "hide" });
  console.log(file);
}

async function main(): Promise<void> {
  await ensureWebBuild();
  mkdirSync(folder, { recursive: true });
  const product = await Product.start();
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: launchArgs });
  const calls = await request.newContext();
  try {
    const sandbox = new Sandbox(calls, product.url);
    const token = async ({ email, password, name }: typeof SELLER, address: string) => {
      const answer = await calls.post(`${product.url}/auth/v1/${address}`, {
        headers: { apikey: "leadloom-anon" },
        data: { email, password, data: { name } },
      });
      return ((await answer.json()) as { access_token: string }).access_token;
    };
    for (const person of [SELLER, NEWCOMER]) {
      await token(person, "signup");
      await sandbox.subscribe(person.email);
    }
    const signedIn = async () => new Api(calls, product.url, await token(SELLER, "token?grant_type=password"));
    const now = await tellStory(signedIn, sandbox, PHONE);
    for (const who of ["nobody", "seller", "newcomer"] as const)
      for (const look of LOOKS) {
        const screens = SCREENS.filter((screen) => screen.who === who && isShot(screen, look));
        if (screens.length === 0) continue;
        const page = await openPage(browser, product.url, now, look);
        if (who !== "nobody") await signIn(page, who === "seller" ? SELLER : NEWCOMER);
        for (const screen of screens) await picture(page, screen, look);
        await page.context().close();
      }
  } finally {
    await calls.dispose();
    await browser.close();
    await product.stop();
  }
}

await main();
