import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { overdueFollowupsMachine } from "./overdue-followups.machine.ts";

const Overdue = createActorContext(overdueFollowupsMachine);

export const OverdueFollowupsProvider = Overdue.Provider;
export const useOverdueFollowups = Overdue.useSelector;

/** What a person can do about overdue follow-ups. */
export function useOverdueFollowupsEvents() {
  const overdue = Overdue.useActorRef();
  return useMemo(() => ({ sendOverdue: () => overdue.send({ type: "overdue.send" }) }), [overdue]);
}
