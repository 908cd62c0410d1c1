import {
  type ActorOptions,
  type AnyStateMachine,
  type ContextFrom,
  type EventFromLogic,
  type SnapshotFrom,
  createActor,
} from "xstate";
import { settle } from "./page.ts";

/** Starts a chart for a journey: a list of events and the state they lead to. */
export function startJourney<Machine extends AnyStateMachine>(logic: Machine, options: ActorOptions<Machine> = {}) {
  const chart = createActor(logic as AnyStateMachine, options as never).start();
  return {
    chart,
    snapshot: () => chart.getSnapshot() as SnapshotFrom<Machine>,
    context: () => chart.getSnapshot().context as ContextFrom<Machine>,
    /** Sends the events, then runs everything that is ready. No time passes. */
    go(...events: EventFromLogic<Machine>[]): Promise<void> {
      for (const event of events) chart.send(event);
      return settle();
    },
  };
}
