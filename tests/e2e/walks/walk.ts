import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import type { AnyActorRef, AnyEventObject, AnyMachineSnapshot, InspectionEvent } from "xstate";
import { coveringPaths } from "../../support/covering-paths.ts";
import { carryOut, disagreements } from "../../support/gestures.ts";
import { type EdgeCollector, edgeCollector, listEdges, pendingServices, play } from "../../support/walk-machine.ts";
import { OneTimerClock } from "../../support/one-timer-clock.ts";
import { titleOf } from "../../support/walk-model.ts";
import type { WalkedView } from "../../support/walk-view.tsx";
import { frame, gesturesDone } from "./gestures.ts";

export type BrowserWalk = WalkedView & {
  /** In place of generated paths, where the screen itself acts on its chart by what it shows, such as by scrolling. */
  journeys?: readonly (readonly AnyEventObject[])[];
};

/** What a walk found: transitions that no step took, those that none can, and what went wrong on the way. */
export type Walked = { missing: string[]; outOfReach: string[]; problems: string[] };

const PATIENCE_MS = 30_000;

/** Tries frame by frame until it passes; throws what it said last when it never does. */
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

/** Walks the journeys, or the fewest paths that take every transition, each over a new screen. */
export async function walkScreen(walk: BrowserWalk): Promise<Walked> {
  const { machine, model, journeys, outOfReach = {} } = walk;
  const coverage = edgeCollector(machine);
  const paths = journeys?.map((events) => ({ input: model.input, events })) ?? coveringPaths(machine, model);
  const problems: string[] = [];
  for (const { events, input } of paths) {
    let at = -1;
    await walkPath(walk, events, input, coverage, () => (at += 1)).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      problems.push(`${titleOf(events.slice(0, at + 1), model.events)}: ${message}`);
    });
  }
  const missing = listEdges(machine).filter((edge) => !coverage.taken.has(edge));
  return { missing, outOfReach: Object.keys(outOfReach), problems };
}

async function walkPath(
  { model, show, gestures, see }: BrowserWalk,
  events: readonly AnyEventObject[],
  input: unknown,
  coverage: EdgeCollector,
  onStep: () => void,
): Promise<void> {
  const services = pendingServices();
  const clock = new OneTimerClock();
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
      await carryOut(gestures, event, actor as AnyActorRef);
      await gesturesDone();
    };
    for (const event of events) {
      onStep();
      // A screen that acts by itself makes its calls in its own time.
      const isAnswer = event.type.startsWith("xstate.");
      const step = () => play(event, { services, clock, delays: model.delays ?? {}, user });
      await (isAnswer ? eventually(step) : step());
      await eventually(() => {
        see(actor?.getSnapshot() as AnyMachineSnapshot);
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
