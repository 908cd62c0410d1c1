import {
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type InspectionEvent,
  createActor,
} from "xstate";
import type { StartedPath } from "./covering-paths.ts";
import type { Invariants, Visit } from "./invariants.ts";
import type { WalkedModel } from "./model.ts";
import { OneTimerClock } from "./one-timer-clock.ts";
import { type Taken, activeIn, mismatches, violations } from "./violations.ts";
import { type EdgeCollector, causeOf, missingEdges, pendingServices, play, titleOf } from "./walk-machine.ts";

const MOST_PROBLEMS = 10;

/** Returns what is wrong with the chart: invariants that match no state, violated invariants, and transitions that no path takes. */
export async function walk(
  model: WalkedModel,
  invariants: Invariants<AnyStateMachine>,
  paths: readonly StartedPath[],
  coverage: EdgeCollector,
) {
  const seen = new Set<string>();
  const problems = new Map<string, string>();
  for (const { input, events } of paths) {
    const take = startWalk({ ...model, input }, invariants, coverage);
    for (const place of [-1, ...events.keys()]) {
      const check = await take(events[place] ?? { type: "xstate.init" });
      const way = titleOf(events.slice(0, place + 1), model.events);
      // Paths share their beginnings; each is checked once.
      const key = `${JSON.stringify(input)} ${way}`;
      if (seen.has(key)) continue;
      seen.add(key);
      for (const problem of check()) if (!problems.has(problem)) problems.set(problem, way);
    }
  }
  return {
    mismatches: mismatches(model.machine, invariants),
    problems: [...problems].slice(0, MOST_PROBLEMS).map(([problem, way]) => `${problem}\n  on the way ${way}`),
    missing: missingEdges(model.machine, coverage),
  };
}

/** Starts the chart with pending services. Each call of the returned function takes a step and returns its problems. */
function startWalk(model: WalkedModel, invariants: Invariants<AnyStateMachine>, coverage: EdgeCollector) {
  const services = pendingServices();
  const clock = new OneTimerClock();
  let taken: Taken[] = [];
  let effects: Record<string, unknown> = {};
  const note = ({ type, params }: { type: string; params: unknown }) => {
    if (!type.startsWith("xstate.")) effects[type] = params ?? null;
    if (type === "xstate.emit") effects["emit"] = (params as { event: object }).event;
    if (type === "xstate.sendTo")
      effects["sendTo"] = [...((effects["sendTo"] as object[]) ?? []), (params as { event: object }).event];
  };
  const inspect = (event: InspectionEvent) => {
    coverage.inspect(event);
    if (event.type !== "@xstate.microstep" && event.type !== "@xstate.action") return;
    if ((event.actorRef as AnyActorRef).sessionId !== event.rootId) return;
    if (event.type === "@xstate.action") note(event.action);
    // oxlint-disable-next-line no-underscore-dangle -- xstate's name for the transitions of a microstep
    else taken.push(...event._transitions);
  };
  const actor: AnyActorRef = createActor(model.provide(services), { clock, inspect, input: model.input });

  return async (event: AnyEventObject): Promise<() => string[]> => {
    const isStart = event.type === "xstate.init";
    const before = isStart ? null : actor.getSnapshot().context;
    const callsBefore = services.inputs();
    if (isStart) actor.start();
    else {
      await play(event, { services, clock, delays: model.delays ?? {}, user: (intent) => actor.send(intent) });
    }
    const snapshot = actor.getSnapshot() as AnyMachineSnapshot;
    const { context } = snapshot;
    const active = activeIn(snapshot.value);
    const visit = {
      cause: causeOf(event),
      event,
      context,
      before: before ?? context,
      effects,
      calls: services.inputs(),
      callsBefore,
      isIn: (state: string) => active.includes(state),
    };
    const step = { snapshot, visit, taken };
    [taken, effects] = [[], {}];
    return () => [
      ...(snapshot.status === "error" ? [`fails after ${visit.cause}: ${String(snapshot.error)}`] : []),
      ...(model.secrets?.test(JSON.stringify(context)) ? [`keeps a secret after ${visit.cause}`] : []),
      ...unreportedFailures(step.visit, step.taken, model.unreported ?? []),
      ...violations(model.machine, invariants, model.events ?? [], step),
    ];
  };
}

/** Every failed call must be reported, except the named ones and dialogs, whose failure is no answer. */
function unreportedFailures(
  { cause, effects }: Visit<unknown>,
  taken: readonly Taken[],
  unreported: readonly string[],
): string[] {
  const [, actor = null] = /^error (.+)$/.exec(cause) ?? [];
  if (actor === null || taken.length === 0) return [];
  const isReported = "reportFailure" in effects;
  const isExcused = /^(ask|show|announce)[A-Z]/.test(actor) || unreported.includes(actor);
  return isReported || isExcused ? [] : [`does not report ${cause}`];
}
