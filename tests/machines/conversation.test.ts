import { describe, expect, it } from "vitest";
import { type ContextFrom, createActor, waitFor } from "xstate";
import type { EventType } from "../../domain/events.ts";
import type { LeadDetail } from "../../domain/lead.ts";
import type { Message } from "../../domain/message.ts";
import type { Page } from "../../src/machines/kit/page.ts";
import { compareMessages } from "../../src/machines/conversation/conversation.log.ts";
import { createConversation, selectNewestShown } from "../../src/machines/conversation/conversation.machine.ts";
import { leadDetail, messageNumber, messagesFrom } from "../support/messages.ts";
import { type Visit, unchecked } from "../support/invariants.ts";
import { fakePage } from "../support/page.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { conversationMachine, conversationModel } from "./conversation.model.ts";

type Context = ContextFrom<typeof conversationMachine>;
type IsIn = (state: string) => boolean;
const NO_CHANGES = { ids: [], isAny: false, isLead: false };
const lead1 = { leadId: "lead-1" };
const notes = { "message.changed": null, "lead.changed": null, "message.accepted": null };
const idsOf = ({ stretch }: Context) => stretch.messages.map(({ id }) => id);
const isNothing = ({ event }: { event: { output: unknown } }) => expect(event.output).toEqual(null);
const opens = (context: Context, before: Context, { output }: { output: { lead: unknown } }) => {
  expect([context.lead, context.read]).toEqual([output.lead, null]);
  expect(idsOf(context)).toEqual(["2", "3", ...idsOf(before)]);
};
const canExtend = ({ stretch }: Context, isIn: IsIn) => stretch.next !== null && isIn("messages.shown");
const tells = ({ context, before }: Visit<Context>) => {
  const arrived = idsOf(context).filter((id) => !idsOf(before).includes(id) && id === "4");
  expect(context.arrived.map(({ id }) => id)).toEqual(arrived);
  expect(context.announced).toEqual([...before.announced, ...context.arrived]);
};
const isAbove = ({ context, before, isIn }: Visit<Context>) =>
  expect([context, isIn("place.above")]).toEqual([before, true]);
/** Messages that stand after one are seen at the newest end alone. */
const sees = (context: Context, isIn: IsIn, after: string | null) => {
  const ids = idsOf(context);
  const isLater = ["3", "4"].some((id) => ids.indexOf(id) > ids.indexOf(after ?? ""));
  return isLater && !isIn("place.above") ? ["messages.see"] : [];
};

walkEveryPath(conversationMachine, conversationModel, {
  messages: { accepts: ["message.changed", "lead.changed", "message.accepted"] },
  "messages.loading": {
    after: { start: null, "reading.retry": null, ...notes },
    holds: isCalling("openConversation", lead1),
  },
  "messages.loadFailed": {
    accepts: ["reading.retry"],
    after: ["error openConversation", "lead.changed", "message.accepted"],
  },
  "messages.missing": {
    after: { "done openConversation": isNothing, "done readNews": isNothing, ...notes },
  },
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
      isCalling("readNews", expect.objectContaining({ ...lead1, ...context.asked }))({ calls });
      const noted = "readNews" in callsBefore ? context.changed : context.asked;
      if (cause === "message.changed") expect(noted.isAny || noted.ids.includes(event.id)).toEqual(true);
      if (cause === "message.accepted") expect(noted.ids).toContain("9");
      if (cause === "lead.changed") expect(noted.isLead).toEqual(true);
    },
  },
  "messages.shown.outdated": {
    accepts: ["reading.retry"],
    after: {
      "error readNews": ({ context }) => expect(context.changed).toEqual({ ids: [], isAny: true, isLead: true }),
      "lead.changed": null,
    },
  },
  "older.resting": {
    accepts: (context, isIn) => (canExtend(context, isIn) ? ["older.show"] : []),
    after: {
      start: null,
      "done readOlder": ({ context, before, event }) => {
        const isStillOldest = event.output.before === before.stretch.next;
        expect(idsOf(context)).toEqual(isStillOldest ? ["1", ...idsOf(before)] : idsOf(before));
        expect(context.stretch.next).toEqual(isStillOldest ? null : before.stretch.next);
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
    after: { start: null, "bottom.reach": null, "newest.show": null, "messages.arrived": tells },
    holds: ({ context }) => expect(context.below).toEqual(0),
  },
  "place.above": {
    accepts: (_, isIn) => ["bottom.reach", ...(isIn("messages.shown") ? ["newest.show"] : [])],
    after: {
      "bottom.leave": null,
      "messages.arrived": (visit) => {
        tells(visit);
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

/** A conversation over a server that holds these messages. */
function startConversation(stored: Message[], lead: LeadDetail | null = leadDetail()) {
  const server = { messages: stored, lead, fails: false };
  const asked: string[] = [];
  const listeners = new Map<EventType, (data: unknown) => void>();
  let accept = (_message: Message) => {};
  const page: Page = {
    ...fakePage(),
    events: {
      subscribe: (type, listener) => {
        listeners.set(type, listener);
        return () => listeners.delete(type);
      },
    },
    logger: { warn: (what) => void asked.push(`log: ${what}`) },
  };
  const logic = createConversation(page, {
    conversation: {
      readLead: async () => {
        asked.push("lead");
        return server.lead;
      },
      listMessages: async ({ before, limit }) => {
        asked.push(`${limit} before ${before ?? "the end"}`);
        if (server.fails) throw new Error("offline");
        if (server.lead === null) return null;
        const newestFirst = server.messages.toSorted(compareMessages).toReversed();
        const from = before === null ? 0 : newestFirst.findIndex(({ id }) => id === before) + 1;
        const messages = newestFirst.slice(from, from + limit);
        const isLast = from + limit >= newestFirst.length;
        return { messages, next: isLast ? null : (messages.at(-1)?.id ?? null) };
      },
      markRead: async ({ upTo }) => {
        asked.push(`read ${upTo}`);
        if (server.fails) throw new Error("offline");
        return 0;
      },
    },
    onAccepted: (_leadId, listener) => {
      accept = listener;
      return () => {};
    },
  });
  const talk = createActor(logic, { input: { leadId: "lead-1" } }).start();
  const settled = () =>
    waitFor(
      talk,
      (snapshot) =>
        (snapshot.matches({ messages: { shown: "current" } }) ||
          snapshot.matches({ messages: { shown: "outdated" } })) &&
        !snapshot.matches({ older: "extending" }) &&
        !snapshot.matches({ marks: "marking" }),
    );
  return {
    talk,
    server,
    asked,
    settled,
    listeners,
    tell: (type: EventType, data: unknown) => listeners.get(type)?.(data),
    accept: (message: Message) => accept(message),
    ids: () => talk.getSnapshot().context.stretch.messages.map(({ id }) => id),
    context: () => talk.getSnapshot().context,
  };
}
const idsFrom = (from: number, to: number) => messagesFrom(from, to).map(({ id }) => id);

describe("a conversation", () => {
  it("opens at its newest end and grows upwards, each message once", async () => {
    const page = startConversation(messagesFrom(1, 120));
    await page.settled();
    expect(page.ids()).toEqual(idsFrom(71, 120));
    page.talk.send({ type: "older.show" });
    await page.settled();
    page.talk.send({ type: "older.show" });
    await page.settled();
    expect(page.ids()).toEqual(idsFrom(1, 120));
    expect(page.talk.getSnapshot().can({ type: "older.show" })).toEqual(false);
  });

  it("of nobody says so", async () => {
    const page = startConversation([], null);
    const snapshot = await waitFor(page.talk, (now) => now.hasTag("missing"));
    expect(snapshot.can({ type: "older.show" })).toEqual(false);
  });

  it("shows what comes, and counts it while the person reads above", async () => {
    const page = startConversation(messagesFrom(1, 3));
    await page.settled();
    page.server.messages = messagesFrom(1, 4);
    page.tell("message.changed", { lead_id: "lead-1", id: "4" });
    await page.settled();
    expect([page.ids(), page.context().below]).toEqual([["1", "2", "3", "4"], 0]);
    page.talk.send({ type: "bottom.leave" });
    page.server.messages = [...messagesFrom(1, 6), messageNumber(7, { direction: "out" })];
    page.tell("message.changed", { lead_id: "lead-1", id: 5 });
    await page.settled();
    expect([page.context().below, page.context().announced.map(({ id }) => id)]).toEqual([2, ["4", "5", "6"]]);
    expect(selectNewestShown(page.talk.getSnapshot())).toEqual("4");
    page.talk.send({ type: "newest.show" });
    expect(page.context().below).toEqual(0);
  });

  it("counts and tells what was written in the moment in which a reply was accepted", async () => {
    const page = startConversation(messagesFrom(1, 3));
    await page.settled();
    page.talk.send({ type: "bottom.leave" });
    const [theirs, ours] = [messageNumber(4), messageNumber(5, { direction: "out", source: "reply" })];
    page.server.messages = [...messagesFrom(1, 3), theirs, ours];
    page.accept(ours);
    await page.settled();
    expect([page.ids(), page.context().below, page.context().announced.map(({ id }) => id)]).toEqual([
      idsFrom(1, 5),
      1,
      ["4"],
    ]);
  });

  it("hears nothing of other people's messages", async () => {
    const page = startConversation(messagesFrom(1, 3));
    await page.settled();
    page.asked.length = 0;
    page.tell("message.changed", { lead_id: "lead-2", id: "9" });
    page.tell("lead.changed", { id: "lead-2" });
    await page.settled();
    expect(page.asked).toEqual([]);
  });

  it("reads one changed message far above by itself", async () => {
    const stored = messagesFrom(1, 120);
    const page = startConversation(stored);
    await page.settled();
    for (let pages = 0; pages < 2; pages += 1) {
      page.talk.send({ type: "older.show" });
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await page.settled();
    }
    page.server.messages = stored.with(4, messageNumber(5, { text: "Changed", edited_at: "2026-03-06T00:00:00Z" }));
    page.asked.length = 0;
    page.tell("message.changed", { lead_id: "lead-1", id: "5" });
    await page.settled();
    expect(page.asked).toEqual(["50 before the end", "1 before 6"]);
    expect(page.context().stretch.messages[4]?.text).toEqual("Changed");
    expect(page.ids()).toEqual(idsFrom(1, 120));
  });

  it("is read anew as far back as it stood after events were missed", async () => {
    const page = startConversation(messagesFrom(1, 100));
    await page.settled();
    page.talk.send({ type: "older.show" });
    await page.settled();
    page.server.messages = messagesFrom(1, 400).filter(({ id }) => id !== "60");
    page.asked.length = 0;
    page.tell("message.changed", {});
    await page.settled();
    expect(page.asked).toEqual(["lead", "200 before the end", "200 before 201"]);
    expect(page.ids()).toEqual(idsFrom(1, 400).filter((id) => id !== "60"));
  });

  it("begins anew where more came than a page holds, rather than leave a hole", async () => {
    const page = startConversation(messagesFrom(1, 10));
    await page.settled();
    page.server.messages = messagesFrom(1, 100);
    page.tell("message.changed", { lead_id: "lead-1", id: "100" });
    await page.settled();
    expect([page.ids(), page.context().stretch.next]).toEqual([idsFrom(51, 100), "51"]);
  });

  it("shows a reply the moment the server took it, and then what became of it", async () => {
    const page = startConversation(messagesFrom(1, 2));
    await page.settled();
    const pending = messageNumber(3, { direction: "out", state: "pending", message_id: null });
    page.server.messages = [...messagesFrom(1, 2), { ...pending, state: "sent", message_id: 1_003 }];
    page.accept(pending);
    expect(page.context().stretch.messages.at(-1)?.state).toEqual("pending");
    await page.settled();
    expect(page.context().stretch.messages.map(({ id, state }) => [id, state])).toEqual([
      ["1", "received"],
      ["2", "received"],
      ["3", "sent"],
    ]);
    // A repeated key brings the first answer, which is older than what is known.
    page.accept(pending);
    await page.settled();
    expect(page.context().stretch.messages.at(-1)?.state).toEqual("sent");
  });

  it("marks as read what was seen at its newest end, once, and nothing while the person reads above", async () => {
    const page = startConversation(messagesFrom(1, 3), leadDetail({ unread: 2 }));
    await page.settled();
    page.asked.length = 0;
    page.talk.send({ type: "bottom.leave" });
    page.talk.send({ type: "messages.see", upTo: "3" });
    expect(page.asked).toEqual([]);
    page.talk.send({ type: "bottom.reach" });
    page.talk.send({ type: "messages.see", upTo: "3" });
    await page.settled();
    page.talk.send({ type: "messages.see", upTo: "3" });
    page.talk.send({ type: "messages.see", upTo: "1" });
    await page.settled();
    expect(page.asked).toEqual(["read 3"]);
  });
});
