import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { Gesture } from "./walks/gestures.ts";
import type { WalkName } from "./walks/page.ts";
import type { Walked } from "./walks/walk.ts";

const root = path.join(import.meta.dirname, "../..");
const built = path.join(root, "dist/walks");
const ORIGIN = "http://localhost";
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

test.describe.configure({ mode: "default" });
test.use({ reducedMotion: "reduce", viewport: { width: 1280, height: 800 } });

test.beforeAll(() => {
  const vite = ["node_modules/vite/bin/vite.js", "build", "--config", "tests/e2e/walks.vite.config.ts"];
  execFileSync(process.execPath, vite, { cwd: root, env: { ...process.env, NODE_ENV: "production" } });
});

for (const name of ["board", "composer", "conversation", "notifications", "selection"] satisfies WalkName[])
  test(`shows each state of the ${name} chart and takes its transitions`, async ({ page }) => {
    const logged: string[] = [];
    page.on("pageerror", (error) => logged.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) logged.push(message.text());
    });
    await page.route("**", (route) => {
      const file = path.join(built, new URL(route.request().url()).pathname);
      if (!fs.existsSync(file)) return route.fulfill({ status: 404 });
      return route.fulfill({ body: fs.readFileSync(file), contentType: TYPES[path.extname(file)] ?? "image/png" });
    });
    await page.exposeFunction("perform", async (gesture: Gesture) => {
      if (gesture.kind === "click") await page.mouse.click(gesture.x, gesture.y);
      else if (gesture.kind === "move") await page.mouse.move(gesture.x, gesture.y);
      else if (gesture.kind === "press") await page.keyboard.press(gesture.key);
      else if (gesture.kind === "fill") await page.locator("[data-target]").fill(gesture.text);
      else await page.locator("[data-target]").selectOption(gesture.value);
    });
    await page.goto(`${ORIGIN}/tests/e2e/walks/walks.html`);
    await page.waitForFunction("window.walk !== undefined");
    const { missing, outOfReach, problems } = (await page.evaluate(`window.walk("${name}")`)) as Walked;
    expect({ problems, missing, logged }).toEqual({ problems: [], missing: outOfReach, logged: [] });
  });
