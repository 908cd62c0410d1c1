import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import type { AnyActorRef, AnyEventObject, AnyMachineSnapshot, InspectionEvent } from "xstate";
import { coveringPaths } from "../../support/covering-paths.ts";
import { OneTimerClock } from "../../support/one-timer-clock.ts";
import { carryOut, disagreements } from "../../support/screen.ts";
import {
  type EdgeCollector,
  edgeCollector,
  missingEdges,
  pendingServices,
  play,
  titleOf,
} from "../../support/walk-machine.ts";
import type { WalkedView } from "../../support/walk-view.tsx";
import { frame, gesturesDone } from "./gestures.ts";

export type BrowserWalk = WalkedView & {
  /** Replaces the generated paths where the screen itself sends events, such as on scrolling. */
  journeys?: readonly (readonly AnyEventObject[])[];
};

/** The result of a walk: transitions not taken, transitions declared out of reach, and errors with the path to them. */
export type Walked = { missing: string[]; outOfReach: string[]; problems: string[] };

const PATIENCE_MS = 30_000;

/** Retries once per frame until it passes; throws its last error after the time limit. */
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

/** Walks the journeys, or few paths that together take every transition, each on a new screen. */
export async function walkScreen(walk: BrowserWalk): Promise<Walked> {
  const { model, journeys, outOfReach = {} } = walk;
  const coverage = edgeCollector(model.machine);
  const paths = journeys?.map((events) => ({ input: model.input, events })) ?? coveringPaths(model);
  const problems: string[] = [];
  for (const { events, input } of paths) {
    let at = -1;
    await walkPath(walk, events, input, coverage, () => (at += 1)).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      problems.push(`${titleOf(events.slice(0, at + 1), model.events)}: ${message}`);
    });
  }
  return { missing: missingEdges(model.machine, coverage), outOfReach: Object.keys(outOfReach), problems };
}

async function walkPath(
  walk: BrowserWalk,
  events: readonly AnyEventObject[],
  input: unknown,
  coverage: EdgeCollector,
  onStep: () => void,
): Promise<void> {
  const { model, gestures, see } = walk;
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
    flushSync(() => root.render(walk.show(model.provide(services), { clock, inspect, input })));
    await frame();
    const user = async (event: AnyEventObject) => {
      await carryOut(gestures, event, actor as AnyActorRef);
      await gesturesDone();
    };
    for (const event of events) {
      onStep();
      // The screen may make its calls later, so an answer waits for them.
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
