import { msg } from "@lingui/core/runtime-macro";
import {
  type EventObject,
  type SnapshotFrom,
  and,
  assign,
  fromCallback,
  fromPromise,
  raise,
  setup,
  stateIn,
} from "xstate";
import type { LeadDetail } from "../../../domain/lead.ts";
import type { Message } from "../../../domain/message.ts";
import { unsubscribeAll } from "../../services/unsubscribe-all.ts";
import type { ConversationGateway } from "../../services/conversation.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { fetching } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import {
  type MessageRange,
  arrivedIn,
  newestReceived,
  rangeOf,
  withAccepted,
  withNewest,
  withOlder,
  withRenewed,
} from "./conversation.log.ts";
import {
  type Changes,
  type ConversationReads,
  EVERYTHING,
  NOTHING,
  type News,
  type Older,
  type Opened,
  PAGE,
  readNews,
} from "./conversation.reads.ts";

export type ConversationParts = {
  conversation: ConversationReads & Pick<ConversationGateway, "markRead">;
  /** Reports each accepted reply to this lead. */
  onAccepted(leadId: string, listener: (message: Message) => void): () => void;
};

type ConversationContext = {
  leadId: string;
  lead: LeadDetail | null;
  range: MessageRange;
  changed: Changes;
  requested: Changes;
  /** How many messages arrived while the user was reading further up. */
  below: number;
  /** The lead's messages in the latest update. */
  arrived: readonly Message[];
  /** The lead's newest messages since the conversation was opened, for screen readers. */
  announced: readonly Message[];
  read: string | null;
  /** The newest message that the user has seen. */
  seen: string | null;
};

const NO_MESSAGES: MessageRange = { messages: [], next: null };
const storeOpened = {
  type: "storeOpened",
  // The guarded transition above handles null.
  params: ({ event }: { event: { output: Opened | null } }) => event.output as Opened,
} as const;

/** Maximum number of messages announced at once. */
const ANNOUNCED_MAX = 20;

/** Whether a known message comes after another; an unknown one precedes all. */
function isAfter({ range }: ConversationContext, id: string | null, other: string | null): boolean {
  const placeOf = (wanted: string | null) => range.messages.findIndex((message) => message.id === wanted);
  return placeOf(id) > placeOf(other);
}

function fieldsOf(data: unknown): { lead_id: string | null; id: string | null } {
  const fields = (typeof data === "object" && data !== null ? data : {}) as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : null);
  return { lead_id: text(fields["lead_id"]), id: text(fields["id"]) };
}

/**
 * A lead's conversation. It holds one unbroken range of messages up to the newest, which grows at both ends and reloads if an update
 * leaves a gap. Messages that arrive while the user reads further up are counted and do not scroll the page. Only messages seen at the
 * newest end are marked as read.
 */
export const createConversation = (page: Page, { conversation, onAccepted }: ConversationParts) =>
  setup({
    types: {
      input: {} as { leadId: string },
      context: {} as ConversationContext,
      events: {} as
        | { type: "reading.retry" }
        | { type: "message.changed"; id: string | null }
        | { type: "lead.changed" }
        | { type: "message.accepted"; message: Message }
        | { type: "messages.arrived" }
        | { type: "older.show" }
        | { type: "newest.show" }
        | { type: "bottom.reach" }
        | { type: "bottom.leave" }
        | { type: "messages.see"; upTo: string },
      tags: {} as "loading" | "refreshing" | "loadFailed" | "outdated" | "extending" | "missing",
    },
    actors: {
      openConversation: fetching(
        async ({ leadId }: { leadId: string }, signal: AbortSignal): Promise<Opened | null> => {
          const [lead, page] = await Promise.all([
            conversation.readLead(leadId, signal),
            conversation.listMessages({ leadId, before: null, limit: PAGE }, signal),
          ]);
          return lead === null || page === null ? null : { lead, range: rangeOf(page) };
        },
      ),
      readNews: fetching((input: Parameters<typeof readNews>[1], signal: AbortSignal) =>
        readNews(conversation, input, signal),
      ),
      readOlder: fetching(async (input: { leadId: string; before: string }, signal: AbortSignal): Promise<Older> => {
        const page = await conversation.listMessages({ ...input, limit: PAGE }, signal);
        return { range: page === null ? NO_MESSAGES : rangeOf(page), before: input.before };
      }),
      // Takes no signal: messages are marked as read even if the user leaves the screen.
      markRead: fromPromise<{ upTo: string }, { leadId: string; upTo: string }>(async ({ input }) => {
        await conversation.markRead(input);
        return { upTo: input.upTo };
      }),
      watchConversation: fromCallback<EventObject, { leadId: string }>(({ input: { leadId }, sendBack }) =>
        unsubscribeAll([
          page.events.subscribe("message.changed", (data) => {
            const { lead_id: lead, id } = fieldsOf(data);
            if (lead === null || lead === leadId) sendBack({ type: "message.changed", id });
          }),
          page.events.subscribe("lead.changed", (data) => {
            const { id } = fieldsOf(data);
            if (id === null || id === leadId) sendBack({ type: "lead.changed" });
          }),
          onAccepted(leadId, (message) => sendBack({ type: "message.accepted", message })),
        ]),
      ),
    },
    actions: {
      storeOpened: assign(({ context }, { lead, range }: Opened) => ({
        lead,
        // A message accepted during the read may be missing from the response.
        range: context.range.messages.reduce(withAccepted, range),
        read: lead.unread === 0 ? newestReceived(range.messages) : null,
      })),
      storeNews: assign(({ context }, news: Exclude<News, null>) => {
        const range = withRenewed(withNewest(context.range, news.newest), news.renewed);
        return {
          range,
          arrived: arrivedIn(context.range, range).filter(({ direction }) => direction === "in"),
          ...(news.lead === undefined ? {} : { lead: news.lead }),
        };
      }),
      forgetMessages: assign({ range: NO_MESSAGES }),
      raiseArrived: raise({ type: "messages.arrived" }),
      storeOlder: assign(({ context }, { range }: Older) => ({ range: withOlder(context.range, range) })),
      storeAccepted: assign(({ context: { range, changed } }, { message }: { message: Message }) => ({
        range: withAccepted(range, message),
        changed: { ...changed, ids: [...changed.ids, message.id] },
      })),
      noteMessage: assign(({ context: { changed } }, { id }: { id: string | null }) => ({
        changed:
          id === null
            ? { ...changed, isAny: true, isLead: true }
            : { ...changed, ids: changed.ids.includes(id) ? changed.ids : [...changed.ids, id] },
      })),
      noteLead: assign(({ context: { changed } }) => ({ changed: { ...changed, isLead: true } })),
      noteEverything: assign({ changed: EVERYTHING }),
      requestChanges: assign(({ context }) => ({ requested: context.changed, changed: NOTHING })),
      countBelow: assign(({ context }) => ({ below: context.below + context.arrived.length })),
      forgetBelow: assign({ below: 0 }),
      announceArrived: assign(({ context }) => ({
        announced: [...context.announced, ...context.arrived].slice(-ANNOUNCED_MAX),
      })),
      storeSeen: assign((_, params: { upTo: string }) => ({ seen: params.upTo })),
      storeRead: assign((_, params: { upTo: string }) => ({ read: params.upTo })),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isMissing: (_, output: Opened | News) => output === null,
      hasChanges: ({ context: { changed } }) => changed.isAny || changed.isLead || changed.ids.length > 0,
      hasOlder: and([({ context }) => context.range.next !== null, stateIn({ messages: "shown" })]),
      isStillOldest: ({ context }, { before }: Older) => context.range.next === before,
      isAbove: stateIn({ place: "above" }),
      isShown: stateIn({ messages: "shown" }),
      isUnread: ({ context }, { upTo }: { upTo: string }) => isAfter(context, upTo, context.read),
      isFurther: ({ context }, { upTo }: { upTo: string }) => isAfter(context, upTo, context.seen),
      hasUnmarked: ({ context }) => isAfter(context, context.seen, context.read),
    },
  }).createMachine({
    id: "conversation",
    context: ({ input }) => ({
      leadId: input.leadId,
      lead: null,
      range: NO_MESSAGES,
      changed: NOTHING,
      requested: NOTHING,
      below: 0,
      arrived: [],
      announced: [],
      read: null,
      seen: null,
    }),
    type: "parallel",
    invoke: {
      id: "watchConversation",
      src: "watchConversation",
      input: ({ context }) => ({ leadId: context.leadId }),
    },
    states: {
      messages: {
        initial: "loading",
        on: {
          "message.changed": { actions: withEvent("noteMessage") },
          "lead.changed": { actions: "noteLead" },
          "message.accepted": { actions: withEvent("storeAccepted") },
        },
        states: {
          loading: {
            tags: "loading",
            invoke: {
              id: "openConversation",
              src: "openConversation",
              input: ({ context }) => ({ leadId: context.leadId }),
              onDone: [
                { guard: withOutput("isMissing"), target: "missing" },
                { target: "shown", actions: storeOpened },
              ],
              onError: { target: "loadFailed", actions: reportFailure("the conversation could not be read") },
            },
          },
          loadFailed: {
            tags: "loadFailed",
            meta: { loadFailed: msg`the conversation` },
            on: { "reading.retry": "loading", "message.changed": "loading", "lead.changed": "loading" },
          },
          /** The lead does not exist, or was removed; an undo may bring it back. */
          missing: {
            tags: "missing",
            entry: "forgetMessages",
            initial: "known",
            states: {
              known: { on: { "lead.changed": "checking" } },
              checking: {
                on: { "lead.changed": { target: "checking", reenter: true } },
                invoke: {
                  id: "openConversation",
                  src: "openConversation",
                  input: ({ context }) => ({ leadId: context.leadId }),
                  onDone: [
                    { guard: withOutput("isMissing"), target: "known" },
                    { target: "#conversation.messages.shown", actions: storeOpened },
                  ],
                  onError: { target: "known", actions: reportFailure("the conversation could not be read again") },
                },
              },
            },
          },
          shown: {
            initial: "current",
            states: {
              current: { always: { guard: "hasChanges", target: "catchingUp" } },
              catchingUp: {
                tags: "refreshing",
                entry: "requestChanges",
                invoke: {
                  id: "readNews",
                  src: "readNews",
                  input: ({ context }) => ({
                    ...context.requested,
                    leadId: context.leadId,
                    known: context.range.messages,
                  }),
                  onDone: [
                    { guard: withOutput("isMissing"), target: "#conversation.messages.missing" },
                    {
                      target: "current",
                      actions: [
                        { type: "storeNews", params: ({ event }) => event.output as Exclude<News, null> },
                        "raiseArrived",
                      ],
                    },
                  ],
                  onError: {
                    target: "outdated",
                    actions: ["noteEverything", reportFailure("the conversation could not be read again")],
                  },
                },
              },
              outdated: {
                tags: "outdated",
                meta: { outdated: msg`the conversation` },
                on: {
                  "reading.retry": "catchingUp",
                  "message.changed": "catchingUp",
                  "lead.changed": "catchingUp",
                  "message.accepted": { target: "catchingUp", actions: withEvent("storeAccepted") },
                },
              },
            },
          },
        },
      },
      older: {
        initial: "resting",
        states: {
          resting: { on: { "older.show": { guard: "hasOlder", target: "extending" } } },
          extending: {
            tags: "extending",
            invoke: {
              id: "readOlder",
              src: "readOlder",
              input: ({ context }) => ({ leadId: context.leadId, before: context.range.next ?? "" }),
              onDone: [
                { guard: withOutput("isStillOldest"), target: "resting", actions: withOutput("storeOlder") },
                { target: "resting" },
              ],
              onError: { target: "unextended", actions: reportFailure("older messages could not be read") },
            },
          },
          unextended: { on: { "older.show": { guard: "hasOlder", target: "extending" } } },
        },
      },
      place: {
        initial: "following",
        on: { "messages.arrived": { actions: "announceArrived" } },
        states: {
          following: { on: { "bottom.leave": "above" } },
          above: {
            exit: "forgetBelow",
            on: {
              "bottom.reach": "following",
              "newest.show": { guard: "isShown", target: "following" },
              "messages.arrived": { actions: ["announceArrived", "countBelow"] },
            },
          },
        },
      },
      marks: {
        initial: "resting",
        states: {
          resting: {
            always: { guard: "hasUnmarked", target: "marking" },
            on: {
              "messages.see": [{ guard: "isAbove" }, { guard: withEvent("isUnread"), actions: withEvent("storeSeen") }],
            },
          },
          marking: {
            invoke: {
              id: "markRead",
              src: "markRead",
              input: ({ context }) => ({ leadId: context.leadId, upTo: context.seen ?? "" }),
              onDone: { target: "resting", actions: withOutput("storeRead") },
              onError: { target: "unmarked", actions: reportFailure("the conversation was not marked as read") },
            },
            on: {
              "messages.see": [
                { guard: "isAbove" },
                { guard: withEvent("isFurther"), actions: withEvent("storeSeen") },
              ],
            },
          },
          unmarked: {
            on: {
              "messages.see": [
                { guard: "isAbove" },
                { guard: withEvent("isUnread"), target: "marking", actions: withEvent("storeSeen") },
              ],
            },
          },
        },
      },
    },
  });

export const Conversation = createChart<typeof createConversation>("conversation");
type ConversationSnapshot = SnapshotFrom<typeof createConversation>;

/** The lead's newest visible message, without those that arrived below the scroll position. */
export const selectNewestShown = ({ context: { range, below } }: ConversationSnapshot) =>
  range.messages.filter(({ direction }) => direction === "in").at(-1 - below)?.id;
