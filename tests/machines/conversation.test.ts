import { describe, expect, it } from "vitest";
import type { LeadDetail } from "../../domain/lead.ts";
import type { Message } from "../../domain/message.ts";
import { compareMessages } from "../../src/machines/conversation/conversation.log.ts";
import { createConversation, selectNewestShown } from "../../src/machines/conversation/conversation.machine.ts";
import { leadDetail, messageNumber, messagesFrom } from "../support/messages.ts";
import { type ContextOf, type Visit, isCalling, unchecked, walkEveryPath } from "../support/invariants.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { conversationModel } from "./conversation.model.ts";

type Context = ContextOf<typeof conversationModel>;
type IsIn = (state: string) => boolean;
const NO_CHANGES = { ids: [], isAny: false, isLead: false };
const lead1 = { leadId: "lead-1" };
const notes = { "message.changed": null, "lead.changed": null, "message.accepted": null };
const idsOf = ({ range }: Context) => range.messages.map(({ id }) => id);
const isNothing = ({ event }: { event: { output: unknown } }) => expect(event.output).toEqual(null);
const opens = (context: Context, before: Context, { output }: { output: { lead: unknown } }) => {
  expect([context.lead, context.read]).toEqual([output.lead, null]);
  expect(idsOf(context)).toEqual(["2", "3", ...idsOf(before)]);
};
const canExtend = ({ range }: Context, isIn: IsIn) => range.next !== null && isIn("messages.shown");
const announcesArrived = ({ context, before }: Visit<Context>) => {
  const arrived = idsOf(context).filter((id) => !idsOf(before).includes(id) && id === "4");
  expect(context.arrived.map(({ id }) => id)).toEqual(arrived);
  expect(context.announced).toEqual([...before.announced, ...context.arrived]);
};
const isAbove = ({ context, before, isIn }: Visit<Context>) =>
  expect([context, isIn("place.above")]).toEqual([before, true]);
/** Later messages count as seen only while the newest end is in view. */
const sees = (context: Context, isIn: IsIn, after: string | null) => {
  const ids = idsOf(context);
  const isLater = ["3", "4"].some((id) => ids.indexOf(id) > ids.indexOf(after ?? ""));
  return isLater && !isIn("place.above") ? ["messages.see"] : [];
};

walkEveryPath(conversationModel, {
  messages: { accepts: ["message.changed", "lead.changed", "message.accepted"] },
  "messages.loading": {
    after: { start: null, "reading.retry": null, ...notes },
    holds: isCalling("openConversation", lead1),
  },
  "messages.loadFailed": {
    accepts: ["reading.retry", "lead.changed"],
    after: ["error openConversation", "message.accepted"],
  },
  "messages.missing": {
    accepts: ["lead.changed"],
    holds: ({ context }) => expect(context.lead === null || idsOf(context).every((id) => id === "9")).toEqual(true),
  },
  "messages.missing.known": {
    after: { "done openConversation": isNothing, "done readNews": isNothing, "error openConversation": null, ...notes },
  },
  "messages.missing.checking": { after: notes, holds: isCalling("openConversation", lead1) },
  "messages.shown.current": {
    after: {
      "done openConversation": ({ context, before, event }) => {
        opens(context, before, event);
        expect(context.changed).toEqual(NO_CHANGES);
      },
      "done readNews": null,
    },
    holds: ({ context }) => expect(context.changed).toEqual(NO_CHANGES),
  },
  "messages.shown.catchingUp": {
    after: {
      ...unchecked("done readNews", "reading.retry"),
      "done openConversation": ({ context, before, event }) => opens(context, before, event),
      ...notes,
    },
    holds: ({ context, cause, event, calls, callsBefore }) => {
      isCalling("readNews", expect.objectContaining({ ...lead1, ...context.requested }))({ calls });
      const noted = "readNews" in callsBefore ? context.changed : context.requested;
      if (cause === "message.changed") expect(noted.isAny || noted.ids.includes(event.id)).toEqual(true);
      if (cause === "message.accepted") expect(noted.ids).toContain("9");
      if (cause === "lead.changed") expect(noted.isLead).toEqual(true);
    },
  },
  "messages.shown.outdated": {
    accepts: ["reading.retry"],
    after: {
      "error readNews": ({ context }) => expect(context.changed).toEqual({ ids: [], isAny: true, isLead: true }),
    },
  },
  "older.resting": {
    accepts: (context, isIn) => (canExtend(context, isIn) ? ["older.show"] : []),
    after: {
      start: null,
      "done readOlder": ({ context, before, event }) => {
        const isStillOldest = event.output.before === before.range.next;
        expect(idsOf(context)).toEqual(isStillOldest ? ["1", ...idsOf(before)] : idsOf(before));
        expect(context.range.next).toEqual(isStillOldest ? null : before.range.next);
      },
    },
  },
  "older.extending": { after: ["older.show"], holds: isCalling("readOlder", { ...lead1, before: "2" }) },
  "older.unextended": {
    accepts: (context, isIn) => (canExtend(context, isIn) ? ["older.show"] : []),
    after: ["error readOlder"],
  },
  place: { accepts: ["messages.arrived"] },
  "place.following": {
    accepts: ["bottom.leave"],
    after: { start: null, "bottom.reach": null, "newest.show": null, "messages.arrived": announcesArrived },
    holds: ({ context }) => expect(context.below).toEqual(0),
  },
  "place.above": {
    accepts: (_, isIn) => ["bottom.reach", ...(isIn("messages.shown") ? ["newest.show"] : [])],
    after: {
      "bottom.leave": null,
      "messages.arrived": (visit) => {
        announcesArrived(visit);
        expect(visit.context.below).toEqual(visit.before.below + visit.context.arrived.length);
      },
    },
  },
  "marks.resting": {
    accepts: (context, isIn) => sees(context, isIn, context.read),
    after: {
      start: null,
      "messages.see": isAbove,
      "done markRead": ({ context, event }) => expect(context.read).toEqual(event.output.upTo),
    },
  },
  "marks.marking": {
    accepts: (context, isIn) => sees(context, isIn, context.seen),
    after: {
      "messages.see": (visit) => {
        const { context, event, calls, callsBefore } = visit;
        if (visit.isIn("place.above")) return isAbove(visit);
        expect(context.seen).toEqual(event.upTo);
        if (!("markRead" in callsBefore)) isCalling("markRead", { ...lead1, upTo: event.upTo })({ calls });
      },
      "done markRead": ({ context, event }) => expect(context.read).toEqual(event.output.upTo),
    },
    holds: ({ calls }) => expect(calls).toHaveProperty("markRead"),
  },
  "marks.unmarked": {
    accepts: (context, isIn) => sees(context, isIn, context.read),
    after: { "error markRead": null, "messages.see": isAbove },
  },
});

/** Starts a conversation with a server that holds these messages. */
async function startConversation(stored: Message[], lead: LeadDetail | null = leadDetail()) {
  const server = { lead, messages: stored, refusesMarks: false };
  const requests: string[] = [];
  let accept = (_message: Message) => {};
  const page = fakePage();
  const logic = createConversation(page, {
    conversation: {
      readLead: async () => {
        requests.push("lead");
        return server.lead;
      },
      listMessages: async ({ before, limit }) => {
        requests.push(`${limit} before ${before ?? "the end"}`);
        const newestFirst = server.messages.toSorted(compareMessages).toReversed();
        const from = before === null ? 0 : newestFirst.findIndex(({ id }) => id === before) + 1;
        const messages = newestFirst.slice(from, from + limit);
        const isLast = from + limit >= newestFirst.length;
        return { messages, next: isLast ? null : (messages.at(-1)?.id ?? null) };
      },
      markRead: async ({ upTo }) => {
        requests.push(`read ${upTo}`);
        if (server.refusesMarks) throw new Error("refused");
        return 0;
      },
    },
    onAccepted: (_leadId, listener) => {
      accept = listener;
      return () => {};
    },
  });
  const journey = await openJourney(logic, { input: { leadId: "lead-1" } });
  const news = async (happens: () => void, messages: Message[]) => {
    server.messages = messages;
    requests.length = 0;
    happens();
    await settle();
  };
  return {
    ...journey,
    server,
    requests,
    /** Changes the server's messages and sends its event. */
    publishMessage: (data: unknown, messages = server.messages) =>
      news(() => page.publish("message.changed", data), messages),
    /** Reports that the server accepted a reply, after which its messages are these. */
    accept: (message: Message, messages = server.messages) => news(() => accept(message), messages),
    publish: page.publish,
    messages: () => journey.context().range.messages,
    ids: () => idsOf(journey.context()),
    announced: () => journey.context().announced.map(({ id }) => id),
  };
}
const idsFrom = (from: number, to: number) => messagesFrom(from, to).map(({ id }) => id);
const changed = (id: string | number) => ({ lead_id: "lead-1", id });

describe("a conversation", () => {
  it("opens at its newest end, grows upwards, and reloads single changed messages", async () => {
    const stored = messagesFrom(1, 120);
    const { ids, go, snapshot, publishMessage, requests, messages } = await startConversation(stored);
    expect(ids()).toEqual(idsFrom(71, 120));
    await go({ type: "older.show" });
    await go({ type: "older.show" });
    expect([ids(), snapshot().can({ type: "older.show" })]).toEqual([idsFrom(1, 120), false]);
    await publishMessage(
      changed("5"),
      stored.with(4, messageNumber(5, { text: "Changed", edited_at: "2026-03-06T00:00:00Z" })),
    );
    expect(requests).toEqual(["50 before the end", "1 before 6"]);
    expect([messages()[4]?.text, ids()]).toEqual(["Changed", idsFrom(1, 120)]);
  });

  it("says so when the lead does not exist, and shows the lead once it is back", async () => {
    const { snapshot, server, publish } = await startConversation([], null);
    expect(snapshot().hasTag("missing")).toEqual(true);
    server.lead = leadDetail();
    publish("lead.changed", { id: "lead-1" });
    await settle();
    expect(snapshot().matches({ messages: { shown: "current" } })).toEqual(true);
  });

  it("shows new messages, and counts them while the user reads further up", async () => {
    const { publishMessage, ids, context, go, announced, snapshot } = await startConversation(messagesFrom(1, 3));
    await publishMessage(changed("4"), messagesFrom(1, 4));
    expect([ids(), context().below]).toEqual([["1", "2", "3", "4"], 0]);
    await go({ type: "bottom.leave" });
    await publishMessage(changed(5), [...messagesFrom(1, 6), messageNumber(7, { direction: "out" })]);
    expect([context().below, announced(), selectNewestShown(snapshot())]).toEqual([2, ["4", "5", "6"], "4"]);
    await go({ type: "newest.show" });
    expect(context().below).toEqual(0);
  });

  it("counts and announces messages from the moment a reply was accepted", async () => {
    const { go, accept, ids, context, announced } = await startConversation(messagesFrom(1, 3));
    await go({ type: "bottom.leave" });
    const ours = messageNumber(5, { direction: "out", source: "reply" });
    await accept(ours, [...messagesFrom(1, 4), ours]);
    expect([ids(), context().below, announced()]).toEqual([idsFrom(1, 5), 1, ["4"]]);
  });

  it("ignores other leads' messages", async () => {
    const { publishMessage, publish, requests } = await startConversation(messagesFrom(1, 3));
    await publishMessage({ lead_id: "lead-2", id: "9" });
    publish("lead.changed", { id: "lead-2" });
    await settle();
    expect(requests).toEqual([]);
  });

  it("reloads its whole range after missed events", async () => {
    const { go, publishMessage, requests, ids } = await startConversation(messagesFrom(1, 100));
    await go({ type: "older.show" });
    await publishMessage(
      {},
      messagesFrom(1, 400).filter(({ id }) => id !== "60"),
    );
    expect(requests).toEqual(["lead", "200 before the end", "200 before 201"]);
    expect(ids()).toEqual(idsFrom(1, 400).filter((id) => id !== "60"));
  });

  it("restarts when more messages arrived than fit on a page", async () => {
    const { publishMessage, ids, context } = await startConversation(messagesFrom(1, 10));
    await publishMessage(changed("100"), messagesFrom(1, 100));
    expect([ids(), context().range.next]).toEqual([idsFrom(51, 100), "51"]);
  });

  it("shows a reply when the server accepts it, and then its outcome", async () => {
    const { accept, messages } = await startConversation(messagesFrom(1, 2));
    const pending = messageNumber(3, { direction: "out", state: "pending", message_id: null });
    const sent = [...messagesFrom(1, 2), { ...pending, state: "sent" as const, message_id: 1_003 }];
    const following = accept(pending, sent);
    expect(messages().at(-1)?.state).toEqual("pending");
    await following;
    expect(messages()).toEqual(sent);
    // A repeated key returns the first response, which is older than the current state.
    await accept(pending);
    expect(messages()).toEqual(sent);
  });

  it("marks messages seen at its newest end as read, once, and none further up", async () => {
    const { requests, go } = await startConversation(messagesFrom(1, 3), leadDetail({ unread: 2 }));
    requests.length = 0;
    await go({ type: "bottom.leave" }, { type: "messages.see", upTo: "3" });
    expect(requests).toEqual([]);
    await go({ type: "bottom.reach" }, { type: "messages.see", upTo: "3" });
    await go({ type: "messages.see", upTo: "3" }, { type: "messages.see", upTo: "1" });
    expect(requests).toEqual(["read 3"]);
  });

  it("keeps messages unread when the server refuses, and tries again when they are seen", async () => {
    const { requests, server, go, context } = await startConversation(messagesFrom(1, 3), leadDetail({ unread: 2 }));
    requests.length = 0;
    server.refusesMarks = true;
    await go({ type: "messages.see", upTo: "3" });
    expect([requests, context().read]).toEqual([["read 3"], null]);
    server.refusesMarks = false;
    await go({ type: "messages.see", upTo: "3" });
    expect([requests, context().read]).toEqual([["read 3", "read 3"], "3"]);
  });
});
