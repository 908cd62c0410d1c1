import { afterAll, expect } from "vitest";
import type { AnyStateMachine } from "xstate";
import { type EdgeCollector, listEdges, listStates } from "./walk-machine.ts";

/** Returns the transitions of the machine that no walked path took; a test expects none. */
export const missingEdges = (machine: AnyStateMachine, collector: EdgeCollector): string[] =>
  listEdges(machine).filter((edge) => !collector.taken.has(edge));

/** Prints one line per machine after its file: states, transitions, generated paths, and transitions taken. */
export function reportCoverage(
  machine: AnyStateMachine,
  paths: number | readonly unknown[],
  collector: EdgeCollector,
): void {
  const edges = listEdges(machine);
  const count = typeof paths === "number" ? paths : paths.length;
  afterAll(() => {
    const taken = edges.filter((edge) => collector.taken.has(edge)).length;
    console.info(
      `${machine.id}: ${listStates(machine).length} states, ${edges.length} transitions, ${count} paths, ${taken}/${edges.length} taken`,
    );
    expect(edges.length).toBeGreaterThan(0);
  });
}
