import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ensureWebBuild } from "../../scripts/build.mjs";
import { BUDGETS, KB, type WebSizes, weighWeb } from "../../tools/bench/web/sizes.ts";

const over = (figures: Record<string, number>, budget: number) =>
  Object.entries(figures)
    .filter(([, bytes]) => !(bytes > 0 && bytes <= budget))
    .map(([name, bytes]) => `${name}: ${(bytes / KB).toFixed(1)} KB of ${budget / KB}`);

describe("the page weighs after gzip", () => {
  let sizes: WebSizes;
  beforeAll(async () => {
    await ensureWebBuild();
    sizes = weighWeb();
  }, 120_000);

  it("at most 130 KB for the login screen", () => expect(over({ login: sizes.login }, BUDGETS.login)).toEqual([]));

  it("at most 170 KB for the leads list", () => expect(over({ leads: sizes.leads }, BUDGETS.leads)).toEqual([]));

  it("at most 75 KB more for any other screen", () => {
    expect(Object.keys(sizes.screens).length).toBeGreaterThan(8);
    expect(over(sizes.screens, BUDGETS.screen)).toEqual([]);
  });

  it("at most 30 KB more for the charts", () => expect(over({ charts: sizes.charts }, BUDGETS.charts)).toEqual([]));
});

it("asks V8 to compile the files of the first screens whole, on their first line", async () => {
  await ensureWebBuild();
  const assets = path.join(import.meta.dirname, "../../dist/web/assets");
  const scripts = readdirSync(assets).filter((file) => /^(base|app)-.*\.js$/.test(file));
  expect(scripts.map((file) => file.slice(0, file.indexOf("-")))).toEqual(expect.arrayContaining(["app", "base"]));
  for (const file of scripts)
    expect(readFileSync(path.join(assets, file), "utf8"), file).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
}, 120_000);
