import os from "node:os";
import { generateMessageId } from "@lingui/message-utils/generateMessageId";
import type { Browser, Page } from "@playwright/test";
import { SCOPES } from "../../domain/api-key.ts";
import { WEBHOOK_EVENTS } from "../../domain/webhook.ts";
import { PEOPLE } from "../../scripts/screenshots/people.ts";
import { SCREENS, type Screen, type Word } from "../../scripts/screenshots/screens.ts";
import { tellStory } from "../../scripts/screenshots/story.ts";
import { pseudo } from "../support/pseudo.ts";
import { MOMENTS, type Moment } from "./moments.ts";
import { Api, type Person, type Product, Sandbox, graveFaults, logIn, test as base, expect } from "./fixtures.ts";
import { entriesOf, wordsIn } from "./words.ts";

/** The pseudo texts by message id; texts without values also by their English text. */
const messages: Record<string, ReturnType<typeof pseudo>> = {};
const words = new Map<string, string>();
for (const { msgid, msgctxt } of entriesOf("en")) {
  const tokens = pseudo(msgid);
  messages[String(generateMessageId(msgid, msgctxt ?? undefined))] = tokens;
  if (tokens.every((token) => typeof token === "string")) words.set(msgid, tokens.join(""));
}
const pseudoWord: Word = (english) => words.get(english) ?? english;
const arabicWord = wordsIn("ar");

/** Fields of requests that contain codes, which no screen shows unchanged. */
const CODES = new Set(["type", "kind", "columns", "query", "scopes", "events", "status"]);

/** Collects user content, which is shown as it was written. */
function note(written: Set<string>, data: unknown): void {
  if (typeof data === "string") written.add(data);
  else if (typeof data === "object" && data !== null)
    for (const [key, value] of Object.entries(data)) if (!CODES.has(key)) note(written, value);
}

type Setup = { seller: Person; newcomer: Person; now: string; written: Set<string> };

const test = base.extend<object, { setup: Setup }>({
  /** The data of scripts/screenshots, created once for all tests. */
  setup: [
    async ({ product, playwright }, use) => {
      const calls = await playwright.request.newContext();
      const written = new Set<string>();
      class NotedApi extends Api {
        override call<T>(...given: Parameters<Api["call"]>): Promise<T> {
          note(written, given.slice(2));
          return super.call<T>(...given);
        }
      }
      class NotedSandbox extends Sandbox {
        override call<T>(...given: Parameters<Sandbox["call"]>): Promise<T> {
          note(written, given[2]);
          return super.call<T>(...given);
        }
      }
      const sandbox = new NotedSandbox(calls, product.url);
      const authenticate = async (address: string, { email, password, name }: Person) => {
        const answer = await calls.post(`${product.url}/auth/v1/${address}`, {
          headers: { apikey: "leadloom-anon" },
          data: { email, password, data: { name } },
        });
        return ((await answer.json()) as { access_token: string }).access_token;
      };
      const seller = { email: "maria@example.com", password: "correct horse battery", name: "Maria Keller" };
      const newcomer = { ...seller, email: "tom@example.com", name: "Tom Baker" };
      for (const person of [seller, newcomer]) {
        note(written, person);
        await authenticate("signup", person);
        await sandbox.subscribe(person.email);
      }
      const signIn = async () =>
        new NotedApi(calls, product.url, await authenticate("token?grant_type=password", seller));
      const now = await tellStory(signIn, sandbox, "+4915550001234");
      await use({ seller, newcomer, now, written });
      await calls.dispose();
    },
    { scope: "worker", timeout: 400_000 },
  ],
});

/** Serves the pseudo texts instead of a language's catalogues. */
async function servePseudoTexts(page: Page): Promise<void> {
  const catalogue = /JSON\.parse\(`\{(?:[^`\\]|\\.)*\}`\)/;
  await page.route(/\/assets\/(visitor|app|inside)-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(catalogue, () => JSON.stringify(messages));
    await route.fulfill({ response, body });
  });
}

/**
 * Returns all visible or announced texts of the screen, and those that are cut off. Skips codes, keys, text typed in text areas, and names
 * of languages and time zones.
 */
function read(): { texts: string[]; cut: string[] } {
  const texts = [document.title];
  const cut: string[] = [];
  const isRead = (element: Element) =>
    (element.closest("select") ?? element).checkVisibility({ visibilityProperty: true }) &&
    !element.closest("code, kbd, textarea, option[lang], option[value*='/'], optgroup:has([value*='/']), style");
  const isClipped = (overflow: string) => overflow === "hidden" || overflow === "clip";
  const isScrolled = (overflow: string) => overflow === "auto" || overflow === "scroll";
  const isCutOnPurpose = (style: CSSStyleDeclaration) =>
    style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
  const canvas = document.createElement("canvas").getContext("2d");

  /** Whether a one-line text is wider than the field. */
  function isTooSmall(field: Element, text: string): boolean {
    const style = getComputedStyle(field);
    if (canvas === null || isCutOnPurpose(style)) return false;
    canvas.font = style.font;
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return canvas.measureText(text).width > room + 1;
  }

  /** Whether the text overflows its own box or is cut off by one around it. */
  function isCut(text: Text): boolean {
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    let isOwnBox = true;
    const watched = { x: true, y: true };
    for (let box = text.parentElement; box !== null && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (style.display === "inline" || style.display === "contents") continue;
      const edge = box.getBoundingClientRect();
      // The text is only for screen readers.
      if (edge.width <= 1 || edge.height <= 1 || style.clipPath !== "none") return false;
      if (isCutOnPurpose(style)) return false;
      // A line's box can be smaller than its letters.
      const sticksOut = {
        x: left < edge.left - 1 || right > edge.right + 1,
        y: top < edge.top - 5 || bottom > edge.bottom + 5,
      };
      if (watched.x && sticksOut.x && (isOwnBox || isClipped(style.overflowX))) return true;
      if (watched.y && sticksOut.y && (isOwnBox || isClipped(style.overflowY))) return true;
      if (isScrolled(style.overflowX)) watched.x = false;
      if (isScrolled(style.overflowY)) watched.y = false;
      if (style.position === "fixed") return false;
      isOwnBox = false;
    }
    return false;
  }

  for (const element of document.querySelectorAll("*")) {
    if (!isRead(element)) continue;
    for (const name of ["aria-label", "aria-description", "aria-valuetext", "placeholder", "title", "alt", "label"])
      texts.push(element.getAttribute(name) ?? "");
    if (element instanceof HTMLInputElement && element.value === "" && isTooSmall(element, element.placeholder))
      cut.push(element.placeholder);
    const chosen = element instanceof HTMLSelectElement ? element.selectedOptions[0]?.text : undefined;
    if (chosen !== undefined && isTooSmall(element, chosen)) cut.push(chosen);
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node as Text;
    const parent = text.parentElement;
    if (parent === null || text.data.trim() === "" || !isRead(parent)) continue;
    // A text with a marked word is one message.
    const marked = parent.closest(":has(> mark)");
    texts.push(marked?.textContent ?? text.data);
    if (!(parent instanceof HTMLOptionElement) && isCut(text)) cut.push(text.data);
  }
  return { texts, cut };
}

/** Returns a function that tells whether a text contains untranslated product text: pseudo texts have only accented letters. */
function plainTexts(written: ReadonlySet<string>): (text: string) => boolean {
  const codes = [...SCOPES, ...WEBHOOK_EVENTS, `Leadloom on ${os.hostname()}`];
  const long = [...written, ...codes].toSorted((one, other) => other.length - one.length);
  const templates = long.filter((known) => /\{\w+\}/.test(known));
  const filled = templates.map(
    (known) =>
      new RegExp(
        `^${known
          .split(/\{\w+\}/)
          .map(RegExp.escape)
          .join(".*")}$`,
        "s",
      ),
  );
  const known = new RegExp(`(?<!\\p{L})(?:${long.map(RegExp.escape).join("|")})(?!\\p{L})`, "gu");
  const initials = new Set(PEOPLE.map(([first, last]) => `${first[0]}${last[0]}`));
  const isBeginning = (text: string) => text.endsWith("…") && long.some((one) => one.startsWith(text.slice(0, -1)));
  // Addresses, placeholders of templates, and names that are the same in every language.
  const names = /\S*(?:@|:\/\/)\S*|\{[^}]*\}|\b(?:Leadloom|[Tt]elegram|UTC)\b/g;
  return (text) =>
    !initials.has(text) &&
    !isBeginning(text) &&
    !filled.some((template) => template.test(text)) &&
    /[A-Za-z]{2}/.test(text.replaceAll(known, "").replaceAll(names, ""));
}

type Look = { who: Screen["who"]; width: number; locale: string; word: Word };

/** Opens a page for one of the users at the time of the data, and signs them in. */
async function open(
  { browser, product, setup }: { browser: Browser; product: Product; setup: Setup },
  { who, width, locale, word }: Look,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width, height: 844 },
    reducedMotion: "reduce",
    timezoneId: "UTC",
    locale,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.clock.install({ time: new Date(setup.now) });
  if (word === pseudoWord) await servePseudoTexts(page);
  if (who !== "nobody") await logIn(page, setup[who], word);
  return page;
}

const widthsOf = (page: Page) =>
  page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth] as const);

test.describe.configure({ mode: "default", timeout: 400_000 });

for (const width of [1280, 390])
  test(`translates every text and shows long ones in full, at ${width} pixels`, async ({ browser, product, setup }) => {
    // Dialogs and panels have the least room on a phone.
    const shown: readonly Moment[] = width === 390 ? [...SCREENS, ...MOMENTS] : SCREENS;
    const isPlain = plainTexts(setup.written);
    const findings = new Map<string, Set<string>>();
    const find = (finding: string, screen: string) =>
      findings.set(finding, (findings.get(finding) ?? new Set()).add(screen));
    for (const who of ["nobody", "seller", "newcomer"] as const) {
      // Russian dates and numbers have no Latin letters.
      const page = await open({ browser, product, setup }, { who, width, locale: "ru", word: pseudoWord });
      for (const screen of shown.filter((one) => one.who === who)) {
        await page.goto(screen.path);
        await screen.shows(page, pseudoWord);
        const { texts, cut } = await page.evaluate(read);
        for (const text of texts.filter(isPlain)) find(`not translated: ${text}`, screen.name);
        for (const text of cut) find(`cut: ${text}`, screen.name);
        const [whole, seen] = await widthsOf(page);
        if (whole > seen) find(`scrolls sideways, ${whole} pixels wide`, screen.name);
        await screen.ends?.(page, pseudoWord);
      }
      await page.context().close();
    }
    expect([...findings].map(([finding, screens]) => `${finding} (${[...screens].join(", ")})`)).toEqual([]);
  });

for (const width of [1280, 390])
  test(`keeps every screen and dialog accessible and in the window in Arabic at ${width} px`, async ({
    browser,
    product,
    setup,
  }) => {
    const faults: string[] = [];
    const shown: readonly Moment[] = [...SCREENS, ...MOMENTS];
    for (const who of ["nobody", "seller", "newcomer"] as const) {
      const page = await open({ browser, product, setup }, { who, width, locale: "ar", word: arabicWord });
      for (const { name, path: address, shows, ends } of shown.filter((one) => one.who === who)) {
        await page.goto(address);
        await shows(page, arabicWord);
        await expect(page.locator("html[lang=ar][dir=rtl]")).toBeAttached();
        // The arrow keys of the palette's field scroll its list, which axe does not know.
        if (name !== "palette") faults.push(...(await graveFaults(page)).map((fault) => `${name}: ${fault}`));
        const [whole, seen] = await widthsOf(page);
        if (whole > seen) faults.push(`${name}: scrolls sideways, ${whole} pixels wide`);
        await ends?.(page, arabicWord);
      }
      await page.context().close();
    }
    expect(faults).toEqual([]);
  });
