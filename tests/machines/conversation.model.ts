import type { AnyMachineSnapshot } from "xstate";
import { createConversation } from "../../src/machines/conversation/conversation.machine.ts";
import { leadDetail, messageNumber, messagesFrom } from "../support/messages.ts";
import { done } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

const never = () => new Promise<never>(() => {});
export const conversationMachine = createConversation(fakePage(), {
  conversation: { readLead: never, listMessages: never, markRead: never },
  onAccepted: () => () => {},
});

const opened = { lead: leadDetail({ unread: 1 }), range: { messages: messagesFrom(2, 3), next: "2" } };
const news = {
  lead: undefined,
  newest: { messages: messagesFrom(3, 4), next: "3" },
  renewed: [],
};

type Region = "messages" | "older" | "place" | "marks";
const regionOf = (type: string): Region => {
  if (/readOlder|^older/.test(type)) return "older";
  if (/^bottom|^newest/.test(type)) return "place";
  return /markRead|^messages\.see/.test(type) ? "marks" : "messages";
};
const isAtRest = (snapshot: AnyMachineSnapshot, region: Region) =>
  region === "messages"
    ? snapshot.matches({ messages: { shown: "current" } })
    : region === "place"
      ? true
      : snapshot.matches({ [region]: "resting" });

export const conversationModel: WalkedModel = {
  input: { leadId: "lead-1" },
  events: [
    { type: "message.changed", id: "4" },
    { type: "message.accepted", message: messageNumber(9, { direction: "out", state: "pending", message_id: null }) },
    { type: "messages.see", upTo: "3" },
    { type: "messages.see", upTo: "4" },
    ...done("openConversation", opened, null),
    ...done("readNews", news, null),
    {
      type: "xstate.done.actor.readOlder",
      output: { range: { messages: messagesFrom(1, 1), next: null }, before: "2" },
    },
    ...done("readOlder", { range: { messages: [], next: null }, before: "long ago" }),
    ...done("markRead", { upTo: "3" }, { upTo: "4" }),
  ],
  project: ({ value, context: { range, changed, below, read, seen } }) => [
    value,
    range.messages.at(-1)?.id,
    range.next === null,
    changed.ids.length > 0 || changed.isAny || changed.isLead,
    below > 0,
    read === seen,
  ],
  // Each region is walked while the others are idle.
  allow: (snapshot, event) => {
    const { type } = event;
    if (type === "messages.arrived") return false;
    // The response marks exactly the requested message.
    if (type === "xstate.done.actor.markRead" && event["output"].upTo !== snapshot.context.seen) return false;
    if (type === "message.accepted" && snapshot.context.range.messages.some(({ id }: { id: string }) => id === "9"))
      return false;
    const own = regionOf(type);
    if (own === "place" && !isAtRest(snapshot, "marks")) return type === "bottom.leave";
    return (["messages", "older", "marks"] as const).every((region) => region === own || isAtRest(snapshot, region));
  },
  provide: overPending(conversationMachine),
};
