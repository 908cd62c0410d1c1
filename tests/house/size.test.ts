import { beforeAll, describe, expect, it } from "vitest";
import { ensureWebBuild } from "../../scripts/build.mjs";
import { BUDGETS, KB, type WebSizes, weighWeb } from "../bench/web/sizes.ts";

/** The figures that lie over their budget, readable. */
const over = (figures: Record<string, number>, budget: number) =>
  Object.entries(figures)
    .filter(([, bytes]) => !(bytes > 0 && bytes <= budget))
    .map(([name, bytes]) => `${name}: ${(bytes / KB).toFixed(1)} KB of ${budget / KB}`);

describe("the page weighs, after gzip", () => {
  let sizes: WebSizes;
  beforeAll(async () => {
    await ensureWebBuild();
    sizes = weighWeb();
  }, 120_000);

  it("no more than 84 KB for the login screen", () => expect(over({ login: sizes.login }, BUDGETS.login)).toEqual([]));

  it("no more than 119 KB for the leads list", () => expect(over({ leads: sizes.leads }, BUDGETS.leads)).toEqual([]));

  it("no more than 75 KB further for any other screen", () => {
    expect(Object.keys(sizes.extras).length).toBeGreaterThan(8);
    expect(over(sizes.extras, BUDGETS.routeExtra)).toEqual([]);
  });

  it("no more than 30 KB further for the charts", () =>
    expect(over({ charts: sizes.charts }, BUDGETS.charts)).toEqual([]));

  it("no more than 40 KB further for the inbox with a conversation, its styles included", () =>
    expect(over({ conversation: sizes.conversation }, BUDGETS.conversation)).toEqual([]));

  it("no more than 40 KB further for the board, its styles included", () =>
    expect(over({ board: sizes.board }, BUDGETS.board)).toEqual([]));

  it("no more than 12 KB of styles for the spec's screens", () =>
    expect(over({ styles: sizes.css }, BUDGETS.css)).toEqual([]));
});
