import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { readMachines } from "../../scripts/statecharts/pages.ts";
import { hasRegions } from "../support/pair-tours.ts";
import { chartsOf } from "../walks/files.ts";

const views = path.join(import.meta.dirname, "../views");

/** Charts with regions whose pairs are not walked, and why. */
const ELSEWHERE: Record<string, string> = {
  board:
    "a card in somebody's hand keeps all else out of reach, and the screen asks for cards by itself: walked in a browser, each region while others rest",
};

it("every chart with regions has their pairs walked on a screen, or it is said why not", async () => {
  const withRegions = (await readMachines()).map(({ machine }) => machine).filter(hasRegions);
  const walked = fs.readdirSync(views).flatMap((name) => {
    const source = fs.readFileSync(path.join(views, name), "utf8");
    if (!/walkEveryView\(|disagreementsInPairs\(/.test(source)) return [];
    const inBrowser = [...source.matchAll(/"\.\.\/(walks\/\w+\.walk\.tsx)"/g)].map(([, file = ""]) => file);
    return [`views/${name}`, ...inBrowser].flatMap(chartsOf);
  });
  const missing = withRegions.map(({ id }) => id).filter((id) => !walked.includes(id));
  expect(missing).toEqual(Object.keys(ELSEWHERE));
});
