import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { type AnyActorRef, type AnyEventObject, type InspectionEvent, SimulatedClock } from "xstate";
import { fewestPaths } from "../support/covering-paths.ts";
import { carryOut, disagreements } from "../support/gestures.ts";
import {
  type EdgeCollector,
  type Step,
  edgeCollector,
  listEdges,
  pendingServices,
  play,
} from "../support/walk-machine.ts";
import type { WalkedView } from "../support/walk-view.tsx";
import { pathsOf } from "../support/walk-suite.ts";
import { difference } from "./equal.ts";
import { frame, handAtRest } from "./hand.ts";

/** What came of walking one screen: its edges by name, and what went wrong on the way. */
export type Walked = {
  chart: string;
  edges: number;
  /** Transitions no step took, but for those the walk names. */
  missing: string[];
  /** Transitions the walk names as out of reach, and why. */
  left: Record<string, string>;
  /** Named as out of reach, and taken all the same. */
  reached: string[];
  paths: number;
  steps: number;
  problems: string[];
};

const PATIENCE_MS = 30_000;

/** A step, and where the path says what comes of it, that state. */
type WalkedStep = { event: AnyEventObject; state?: Step["state"] };
type StartedWalk = { input: unknown; steps: readonly WalkedStep[] };

/** Tries frame by frame until it passes; what it says last is thrown when it never does. */
async function eventually(act: () => unknown): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; await frame()) {
    try {
      await act();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

const wordsOf = ({ event }: WalkedStep) => event.type.replace(/^xstate\.(?=done|error|after)/, "");

/** Walks the fewest paths that cover the chart, each over a screen of its own. */
export async function walkScreen(walk: WalkedView): Promise<Walked> {
  const { machine, model, outOfReach = {} } = walk;
  const coverage = edgeCollector(machine);
  const journeys = walk.journeys?.map((events) => ({ input: model.input, steps: events.map((event) => ({ event })) }));
  const paths: StartedWalk[] =
    journeys ??
    (model.inputs ?? [model.input]).flatMap((input) =>
      fewestPaths(machine, input, pathsOf(machine, { ...model, input })).map(([, steps]) => ({ input, steps })),
    );
  const problems: string[] = [];
  for (const { steps, input } of paths) {
    let at = 0;
    await walkPath(walk, steps, input, coverage, (step) => (at = step)).catch((error: unknown) => {
      const way = steps
        .slice(0, at + 1)
        .map(wordsOf)
        .join(" > ");
      problems.push(`${way}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  const missing = listEdges(machine).filter((edge) => !coverage.taken.has(edge));
  return {
    chart: machine.id,
    edges: listEdges(machine).length,
    missing: missing.filter((edge) => !(edge in outOfReach)),
    left: outOfReach,
    reached: Object.keys(outOfReach).filter((edge) => coverage.taken.has(edge)),
    paths: paths.length,
    steps: paths.reduce((sum, { steps }) => sum + steps.length, 0),
    problems,
  };
}

async function walkPath(
  { model, show, gestures, see }: WalkedView,
  steps: readonly WalkedStep[],
  input: unknown,
  coverage: EdgeCollector,
  tellStep: (step: number) => void,
): Promise<void> {
  const services = pendingServices();
  const clock = new SimulatedClock();
  let actor: AnyActorRef | undefined;
  const inspect = (event: InspectionEvent) => {
    if (event.type === "@xstate.actor") actor ??= event.actorRef as AnyActorRef;
    coverage.inspect(event);
  };
  const stage = document.body.appendChild(document.createElement("div"));
  stage.id = "root";
  const root = createRoot(stage);
  try {
    flushSync(() => root.render(show(services, { clock, inspect, input })));
    await frame();
    const user = async (event: AnyEventObject) => {
      await carryOut(gestures, event);
      await handAtRest();
    };
    for (const [place, { event, state }] of steps.entries()) {
      tellStep(place);
      const step = () => play(event, { services, clock, delays: model.delays ?? {}, user });
      await (state === undefined && event.type.startsWith("xstate.") ? eventually(step) : step());
      await eventually(() => {
        const now = actor?.getSnapshot() as Step["state"];
        const told = state ?? now;
        const wrong = difference([now.value, now.context], [told.value, told.context], "the chart");
        if (wrong !== null) throw new Error(wrong);
        see(told);
        const [found] = disagreements(actor, gestures, model.events ?? []);
        if (found !== undefined) throw new Error(found);
      });
    }
  } finally {
    root.unmount();
    stage.remove();
    localStorage.clear();
    sessionStorage.clear();
    history.replaceState(null, "", "/");
  }
}
