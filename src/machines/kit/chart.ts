import { useActorRef, useSelector } from "@xstate/react";
import { type ReactNode, createContext, createElement, use, useState } from "react";
import type { ActorOptions, ActorRefFrom, AnyStateMachine, EventFromLogic, SnapshotFrom } from "xstate";

type ProviderProps<Machine extends AnyStateMachine> = {
  /** The chart with its services; its input is in `options`. Later values are ignored: change `key` to start a new actor. */
  logic: Machine;
  options?: ActorOptions<Machine>;
  children: ReactNode;
};

/**
 * Returns the React handle of a chart: `createChart<typeof createContacts>("contacts")`. `Provider` runs the chart while it is mounted;
 * `ActorProvider` provides an actor that lives outside React. `use` returns the snapshot and `send`. Large screens use `useSelector`,
 * `useSend` and `useCan` to render less. `useCan` says whether the chart accepts an event now, and so whether a control is enabled.
 */
export function createChart<Create extends (...args: never[]) => AnyStateMachine>(name: string) {
  type Machine = ReturnType<Create>;
  type Ref = ActorRefFrom<Machine>;
  type Snapshot = SnapshotFrom<Machine>;
  const Context = createContext<Ref | null>(null);

  function useRef(): Ref {
    const actor = use(Context);
    if (!actor) throw new Error(`the ${name} chart needs its Provider above the view that uses it`);
    return actor;
  }

  // TypeScript cannot see that the actor of a generic chart is an actor of any chart.
  const useAny = () => useRef() as unknown as ActorRefFrom<AnyStateMachine>;
  const useRead = <T>(selector: (snapshot: Snapshot) => T): T =>
    useSelector(useAny(), (snapshot) => selector(snapshot as Snapshot));
  const useSend = () => useAny().send as (event: EventFromLogic<Machine>) => void;

  return {
    ActorProvider: Context.Provider,
    Provider({ logic, options, children }: ProviderProps<Machine>) {
      const [first] = useState(logic);
      const actor = useActorRef(first as AnyStateMachine, options as ActorOptions<AnyStateMachine>);
      return createElement(Context, { value: actor as unknown as Ref }, children);
    },
    useActorRef: useRef,
    use: () => [useRead((snapshot) => snapshot), useSend()] as const,
    useSelector: useRead,
    useSend,
    useCan: (event: EventFromLogic<Machine>): boolean => useSelector(useAny(), (snapshot) => snapshot.can(event)),
  };
}

/** Names an action or a guard whose params are the event. */
export const withEvent = <const Type extends string>(type: Type) => ({
  type,
  params: <Event>({ event }: { event: Event }): Event => event,
});

/** Names an action or a guard whose params are the actor's output. */
export const withOutput = <const Type extends string>(type: Type) => ({
  type,
  params: <Output>({ event }: { event: { output: Output } }): Output => event.output,
});
