import { describe, expect, it } from "vitest";
import { type AnyStateMachine, createMachine } from "xstate";
import { getStateNodes } from "xstate/graph";
import { chartOf, edgesOf, statesOf } from "../../scripts/statecharts/chart.ts";
import { importableOf } from "../../scripts/statecharts/importable.ts";
import { readMachines, renderDrawings, staleFiles } from "../../scripts/statecharts/pages.ts";

const machines = await readMachines();

/** Receives `createMachine` as a parameter, because a module imported from text cannot import packages. */
const withoutImport = (source: string) =>
  source.replace(/^import .*$/m, "").replace("= createMachine(", "= (createMachine) => createMachine(");

describe("the statecharts", () => {
  it.each(machines)("of $name start each compound state in an existing state", ({ machine }) => {
    const compounds = [machine.root, ...getStateNodes(machine.root)].filter(({ type }) => type === "compound");
    const beginnings = compounds.map((node) => node.initial.target[0]?.parent?.id);
    expect(beginnings).toEqual(compounds.map(({ id }) => id));
  });

  it.each(machines)("of $name have a comment above the chart", ({ intro }) => {
    expect(intro).not.toEqual("");
  });

  it("draw every state with its id, so that a page can highlight it", async () => {
    const files = await renderDrawings();
    for (const { name, machine } of machines) {
      const drawn = [...(files.get(`${name}.svg`) ?? "").matchAll(/data-state="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(drawn)).toEqual(new Set([machine.id, ...getStateNodes(machine.root).map(({ id }) => id)]));
    }
  });

  it.each(machines)(
    "of $name can be imported alone, with the same states and transitions",
    async ({ name, machine }) => {
      const source = importableOf(name, machine);
      const module = (await import(`data:text/javascript,${encodeURIComponent(withoutImport(source))}`)) as Record<
        string,
        (make: typeof createMachine) => AnyStateMachine
      >;
      const imported = chartOf(module[machine.id]!(createMachine));
      const own = chartOf(machine);
      expect(statesOf(imported).map(({ id, type }) => [id, type])).toEqual(
        statesOf(own).map(({ id, type }) => [id, type]),
      );
      expect(edgesOf(imported)).toEqual(edgesOf(own));
    },
  );

  it("are not importable while a part has no name", () => {
    const nameless = createMachine({ id: "door", on: { push: { guard: () => true } } });
    expect(() => importableOf("door", nameless)).toThrow("door.on.push.guard contains an unnamed function");
  });

  it("are up to date: otherwise run `npm run statecharts` and commit docs/statecharts", async () => {
    expect(await staleFiles()).toEqual([]);
  });
});
