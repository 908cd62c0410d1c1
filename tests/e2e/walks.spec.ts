import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { Deed } from "../walks/hand.ts";
import { chartsOf, walkedFiles } from "../walks/files.ts";
import type { Walked } from "../walks/walk.ts";

const root = path.join(import.meta.dirname, "../..");
const built = path.join(root, "dist/walks");
const ORIGIN = "http://localhost";
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

test.describe.configure({ mode: "default" });
test.use({ reducedMotion: "reduce", viewport: { width: 1280, height: 800 } });

const table: string[] = [];

/** Charts whose walk stands elsewhere, or that have no screen of their own. */
const ELSEWHERE: Record<string, string> = {
  "bulk-job": "bulk-job.spec.ts",
  finalizing: "finalizing.spec.ts: its screen is one sentence, and then another address",
  "lead-automation": "it has no screen: it says in which state a lead stands, by the rules the server decides by",
  leaving: "it has no screen: it asks by the dialog of notifications",
  reading: "the states that every chart's readings are made of",
  session: "session.spec.ts: it decides which screen is shown",
};

test.beforeAll(() => {
  const vite = ["node_modules/vite/bin/vite.js", "build", "--config", "tests/walks/vite.config.ts"];
  execFileSync(process.execPath, vite, { cwd: root, env: { ...process.env, NODE_ENV: "production" } });
});

test.afterAll(() => console.info(["chart: edges taken of all, paths, steps", ...table].join("\n")));

for (const file of walkedFiles()) {
  test(`the screen follows its chart in a browser along every transition: ${file}`, async ({ page }) => {
    const logged: string[] = [];
    page.on("pageerror", (error) => logged.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) logged.push(message.text());
    });
    await page.route("**", (route) => {
      const name = path.join(built, new URL(route.request().url()).pathname);
      if (!fs.existsSync(name)) return route.fulfill({ status: 404 });
      return route.fulfill({ body: fs.readFileSync(name), contentType: TYPES[path.extname(name)] ?? "image/png" });
    });
    await page.exposeFunction("perform", async (deed: Deed) => {
      if (deed.kind === "click") await page.mouse.click(deed.x, deed.y);
      else if (deed.kind === "move") await page.mouse.move(deed.x, deed.y);
      else if (deed.kind === "press") await page.keyboard.press(deed.key);
      else if (deed.kind === "fill") await page.locator("[data-hand]").fill(deed.text);
      else await page.locator("[data-hand]").selectOption(deed.value);
    });
    await page.goto(`${ORIGIN}/tests/walks/walks.html`);
    await page.waitForFunction("window.walkFile !== undefined");
    const walked = (await page.evaluate(`window.walkFile(${JSON.stringify(file)})`)) as Walked[];
    for (const { chart, edges, missing, left, reached, paths, steps, problems } of walked) {
      table.push(`${chart}: ${edges - missing.length - Object.keys(left).length} of ${edges}, ${paths}, ${steps}`);
      for (const [edge, reason] of Object.entries(left)) table.push(`  without ${edge}: ${reason}`);
      expect({ chart, missing, reached, problems }).toEqual({ chart, missing: [], reached: [], problems: [] });
    }
    expect(new Set(walked.map(({ chart }) => chart))).toEqual(new Set(chartsOf(file)));
    expect(logged).toEqual([]);
  });
}

test("every chart is walked in a browser, or it is said where and why not here", () => {
  const charts = fs.readdirSync(path.join(root, "src/machines")).filter((name) => {
    const files = fs.readdirSync(path.join(root, "src/machines", name));
    return files.some((file) => file.endsWith(".machine.ts"));
  });
  const walked = walkedFiles()
    .flatMap(chartsOf)
    .map((id) => id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  expect([...new Set([...walked, ...Object.keys(ELSEWHERE)])].toSorted()).toEqual(charts.toSorted());
});
