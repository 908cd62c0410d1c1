import { createConversation } from "../../src/machines/conversation/conversation.machine.ts";
import { leadDetail, messageNumber, messagesFrom } from "../support/messages.ts";
import { done, modelOf, whileAtRest } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const never = () => new Promise<never>(() => {});
const conversationMachine = createConversation(fakePage(), {
  conversation: { readLead: never, listMessages: never, markRead: never },
  onAccepted: () => () => {},
});

const opened = { lead: leadDetail({ unread: 1 }), range: { messages: messagesFrom(2, 3), next: "2" } };
const news = { lead: undefined, newest: { messages: messagesFrom(3, 4), next: "3" }, renewed: [] };

const isOfPlace = (type: string) => /^bottom|^newest/.test(type);
const isAlone = whileAtRest({ messages: { shown: "current" }, older: "resting", marks: "resting" }, (type) => {
  if (/readOlder|^older/.test(type)) return ["older"];
  if (isOfPlace(type)) return [];
  return /markRead|^messages\.see/.test(type) ? ["marks"] : ["messages"];
});

export const conversationModel = modelOf(conversationMachine, {
  input: { leadId: "lead-1" },
  events: [
    { type: "message.changed", id: "4" },
    { type: "message.accepted", message: messageNumber(9, { direction: "out", state: "pending", message_id: null }) },
    { type: "messages.see", upTo: "3" },
    { type: "messages.see", upTo: "4" },
    ...done("openConversation", opened, null),
    ...done("readNews", news, null),
    ...done(
      "readOlder",
      { range: { messages: messagesFrom(1, 1), next: null }, before: "2" },
      { range: { messages: [], next: null }, before: "long ago" },
    ),
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
  allow: (snapshot, event) => {
    const { type } = event;
    if (type === "messages.arrived") return false;
    // The response marks exactly the requested message.
    if (type === "xstate.done.actor.markRead" && event["output"].upTo !== snapshot.context.seen) return false;
    if (type === "message.accepted" && snapshot.context.range.messages.some(({ id }: { id: string }) => id === "9"))
      return false;
    if (isOfPlace(type) && !snapshot.matches({ marks: "resting" })) return type === "bottom.leave";
    return isAlone(snapshot, event);
  },
});
