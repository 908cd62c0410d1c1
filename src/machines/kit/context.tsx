import { useActorRef, useSelector } from "@xstate/react";
import { type ReactNode, createContext, use, useMemo } from "react";
import type { ActorOptions, ActorRefFrom, AnyStateMachine, EventFromLogic, SnapshotFrom } from "xstate";

type ProviderProps<Machine extends AnyStateMachine> = {
  /** The machine with its outside parts in place, and its input. */
  logic: Machine;
  options?: ActorOptions<Machine>;
  children: ReactNode;
};

/**
 * What views know of one chart. `Provider` runs the chart as long as it is mounted, `ActorProvider` hands on an actor
 * that lives outside React. `use` reads by a selector; `useVerbs` gives what a person can do, the same object for the
 * life of the actor; `useCan` tells whether the chart would act on an event now: what a control is bound to.
 */
export function createMachineContext<Machine extends AnyStateMachine, Verbs>(
  machine: Machine,
  verbsOf: (actor: ActorRefFrom<Machine>) => Verbs,
) {
  type Ref = ActorRefFrom<Machine>;
  const Context = createContext<Ref | null>(null);

  function useRef(): Ref {
    const actor = use(Context);
    if (!actor) throw new Error(`the ${machine.id} chart needs its Provider above the view that uses it`);
    return actor;
  }

  return {
    ActorProvider: Context.Provider,
    Provider({ logic, options, children }: ProviderProps<Machine>) {
      const actor = useActorRef(logic as AnyStateMachine, options as ActorOptions<AnyStateMachine>);
      return <Context value={actor as unknown as Ref}>{children}</Context>;
    },
    use: <T,>(selector: (snapshot: SnapshotFrom<Machine>) => T): T =>
      useSelector(useRef() as ActorRefFrom<AnyStateMachine>, (snapshot) => selector(snapshot as SnapshotFrom<Machine>)),
    useVerbs(): Verbs {
      const actor = useRef();
      return useMemo(() => verbsOf(actor), [actor]);
    },
    useCan: (event: EventFromLogic<Machine>): boolean =>
      useSelector(useRef() as ActorRefFrom<AnyStateMachine>, (snapshot) => snapshot.can(event)),
  };
}
