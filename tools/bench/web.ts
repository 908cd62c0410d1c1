// npm run bench -- web: the page's size, number of requests and response times, against its budgets.
import { loadavg } from "node:os";
import { chromium, type Browser } from "@playwright/test";
import { readArguments } from "../../scripts/arguments.mjs";
import { ensureWebBuild } from "../../scripts/build.mjs";
import { chromiumPath, launchArgs } from "../../scripts/chromium.mjs";
import { logIn } from "../../tests/e2e/fixtures.ts";
import { measureBoard } from "./web/board.ts";
import { busyLoads } from "./web/calm.ts";
import { MESSAGES, measureConversation } from "./web/conversation.ts";
import { LEADS, PERSON, startFurnished } from "./web/installation.ts";
import { measureLists } from "./web/lists.ts";
import { measureMenu } from "./web/menu-report.ts";
import { measurePalette } from "./web/palette.ts";
import { reportMissed } from "./web/report.ts";
import { reportSizes } from "./web/sizes-report.ts";
import type { StorageState } from "./web/visit.ts";

const USAGE =
  "usage: npm run bench -- web [--runs N] [--only sizes|lists|board|palette|conversation|menu|NAME OF A SCREEN IN THE MENU]";

const { values } = readArguments("npm run bench -- web [--runs N --only PARTS]", {
  options: { runs: { type: "string" }, only: { type: "string" } },
});
const runs = Number(values.runs ?? 7);
const only = values.only?.toLowerCase() ?? null;
if (!Number.isInteger(runs) || runs < 1) {
  console.error(USAGE);
  process.exit(2);
}

const isWanted = (part: string) => only === null || only === part;
const load = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(", ");

/** Returns the storage of a signed-in browser. */
async function signIn(browser: Browser, baseURL: string): Promise<StorageState> {
  const context = await browser.newContext({ baseURL });
  await logIn(await context.newPage(), PERSON);
  const state = await context.storageState();
  await context.close();
  return state;
}

await ensureWebBuild();
if (isWanted("sizes")) reportSizes();
if (only !== "sizes") {
  const { product, talker } = await startFurnished(MESSAGES);
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: launchArgs });
  try {
    console.log(`\n${LEADS} leads on the embedded store, Chromium ${browser.version()}, load before: ${load()}`);
    const signedIn = await signIn(browser, product.url);
    if (isWanted("lists")) await measureLists(browser, product.url, signedIn, runs);
    if (isWanted("conversation")) await measureConversation(browser, product.url, signedIn, runs, talker);
    if (isWanted("board")) await measureBoard(browser, product.url, signedIn, runs, LEADS);
    if (isWanted("palette")) await measurePalette(browser, product.url, signedIn, LEADS);
    if (!["lists", "board", "palette", "conversation"].includes(only ?? ""))
      await measureMenu(browser, product.url, signedIn, runs, only === "menu" ? null : only);
    console.log(`\nLoad after: ${load()}; ${busyLoads()}.`);
  } finally {
    await browser.close();
    await product.stop();
  }
}
reportMissed();
