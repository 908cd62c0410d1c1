import { afterAll, expect } from "vitest";
import type { AnyStateMachine } from "xstate";
import { type EdgeCollector, listEdges, listStates } from "./walk-machine.ts";

/** The transitions of the machine that no walked path has taken; a test expects none. */
export const missingEdges = (machine: AnyStateMachine, collector: EdgeCollector): string[] =>
  listEdges(machine).filter((edge) => !collector.taken.has(edge));

/** Prints one line a machine when its file is done: states, transitions, generated paths, and how many were taken. */
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
