import { useActorRef, useSelector } from "@xstate/react";
import { type ReactNode, createContext, createElement, use, useState } from "react";
import type { ActorOptions, ActorRefFrom, AnyStateMachine, EventFromLogic, SnapshotFrom } from "xstate";

type ProviderProps<Machine extends AnyStateMachine> = {
  /** The chart with its services, and its input in the options. The first one runs; give another `key` to start another. */
  logic: Machine;
  options?: ActorOptions<Machine>;
  children: ReactNode;
};

/**
 * What views use of one chart: `createChart<typeof createContacts>("contacts")`. `Provider` runs the chart for as long as it is mounted;
 * `ActorProvider` passes on an actor that lives outside React. `use` gives the snapshot and `send`; `useSelector`, `useSend` and `useCan` are
 * for large screens, which render less with them; `useActorRef` gives the actor itself. `useCan` says whether the chart would act on an event now: a control is enabled by it.
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

  // Whatever the chart, its actor is one of any chart: TypeScript cannot see that of a type that is still open.
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

/** The action or the guard of the name; its params are what came with the event. */
export const withEvent = <const Type extends string>(type: Type) => ({
  type,
  params: <Event>({ event }: { event: Event }): Event => event,
});

/** The same of an actor's output. */
export const withOutput = <const Type extends string>(type: Type) => ({
  type,
  params: <Output>({ event }: { event: { output: Output } }): Output => event.output,
});
