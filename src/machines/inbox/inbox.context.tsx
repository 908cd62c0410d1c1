import type { InboxView, WaitingOrder } from "../../../domain/inbox.ts";
import { createMachineContext } from "../kit/context.tsx";
import { inboxMachine } from "./inbox.machine.ts";

const Inbox = createMachineContext(inboxMachine, (inbox) => ({
  chooseView: (view: InboxView) => inbox.send({ type: "view.choose", view }),
  chooseOrder: (order: WaitingOrder) => inbox.send({ type: "order.choose", order }),
  changeQuery: (q: string) => inbox.send({ type: "query.change", q }),
  applyQuery: () => inbox.send({ type: "query.apply" }),
  showMore: () => inbox.send({ type: "list.more" }),
  retryReading: () => inbox.send({ type: "reading.retry" }),
  /** Shows the next person waiting after the lead whose conversation is open. */
  openNextWaiting: (from: string | null) => inbox.send({ type: "waiting.find", from }),
}));

export const InboxProvider = Inbox.Provider;
export const useInbox = Inbox.use;
/** What a person can do to the list of conversations. */
export const useInboxEvents = Inbox.useVerbs;
export const useCanInbox = Inbox.useCan;
