import { describe, expect, it } from "vitest";
import { getStateNodes } from "xstate/graph";
import { readMachines, renderPages, staleFiles } from "../../scripts/statecharts/pages.ts";

const machines = await readMachines();

describe("the statecharts", () => {
  it.each(machines)("of $name begin each compound state in a state that exists", ({ machine }) => {
    const compounds = [machine.root, ...getStateNodes(machine.root)].filter(({ type }) => type === "compound");
    const beginnings = compounds.map((node) => node.initial.target[0]?.parent?.id);
    expect(beginnings).toEqual(compounds.map(({ id }) => id));
  });

  it.each(machines)("of $name say above the chart what it is", ({ intro }) => {
    expect(intro).not.toEqual("");
  });

  it("draw every state with its id, so that a page can light it", async () => {
    const files = await renderPages();
    for (const { name, machine } of machines) {
      const drawn = [...(files.get(`${name}.svg`) ?? "").matchAll(/data-state="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(drawn)).toEqual(new Set([machine.id, ...getStateNodes(machine.root).map(({ id }) => id)]));
    }
  });

  it("are drawn as the code stands: otherwise run `npm run statecharts` and commit docs/statecharts", async () => {
    expect(await staleFiles()).toEqual([]);
  });
});
