import { msg } from "@lingui/core/runtime-macro";
import { type EventObject, assign, fromCallback, raise, setup } from "xstate";
import type { StoryItem, StoryPage } from "../../../domain/story.ts";
import { unsubscribeAll } from "../../services/unsubscribe-all.ts";
import { createConversationGateway } from "../../services/conversation.ts";
import { createChart } from "../kit/chart.ts";
import { type OlderPage, type ReadingEvent, fetching, olderPages, withOlderPage } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { loadRegion } from "../kit/refreshing.ts";

type StoryParts = { story?: Pick<ReturnType<typeof createConversationGateway>, "readStory"> };

type StoryContext = {
  leadId: string;
  /** Newest first. */
  items: readonly StoryItem[];
  /** The cursor for older items; null if all are loaded. */
  next: string | null;
};

/** Merges a newer first page with the known items; if they do not overlap, it replaces them. */
function withNewest({ items, next }: StoryContext, page: StoryPage): Pick<StoryContext, "items" | "next"> {
  const fresh = new Set(page.items.map(({ id }) => id));
  if (!items.some(({ id }) => fresh.has(id))) return page;
  return { items: [...page.items, ...items.filter(({ id }) => !fresh.has(id))], next };
}

/** A lead's history, page by page. Older items load one page at a time, until all are loaded. */
export const createStory = (page: Page, { story = createConversationGateway(page.http) }: StoryParts = {}) =>
  setup({
    types: {
      input: {} as { leadId: string },
      context: {} as StoryContext,
      events: {} as ReadingEvent | { type: "story.changed" } | { type: "older.load" },
    },
    actors: {
      fetchNewest: fetching(({ leadId }: { leadId: string }, signal: AbortSignal) =>
        story.readStory({ leadId, before: null }, signal),
      ),
      fetchOlder: fetching(async (input: { leadId: string; before: string }, signal: AbortSignal) => ({
        page: await story.readStory(input, signal),
        before: input.before,
      })),
      // An event without a lead's id may concern any lead.
      watchStory: fromCallback<EventObject, { leadId: string }>(({ input, sendBack }) => {
        const check = (id: unknown) => {
          if (id === undefined || id === input.leadId) sendBack({ type: "story.changed" });
        };
        return unsubscribeAll([
          page.events.subscribe("lead.changed", (data) => check((data as { id?: unknown } | null)?.id)),
          page.events.subscribe("message.changed", (data) => check((data as { lead_id?: unknown } | null)?.lead_id)),
        ]);
      }),
    },
    actions: {
      storeNewest: assign(({ context }, newest: StoryPage) => withNewest(context, newest)),
      storeOlder: assign(({ context }, older: OlderPage<StoryItem>) => withOlderPage(context, older)),
      refresh: raise({ type: "reading.refresh" }),
      reportFailure: createReporter(page.logger),
    },
    guards: { hasOlder: ({ context }) => context.next !== null },
  }).createMachine({
    id: "story",
    context: ({ input }) => ({ leadId: input.leadId, items: [], next: null }),
    invoke: { id: "watchStory", src: "watchStory", input: ({ context }) => ({ leadId: context.leadId }) },
    on: { "story.changed": { actions: "refresh" } },
    type: "parallel",
    states: {
      newest: loadRegion({
        src: "fetchNewest",
        store: "storeNewest",
        what: msg`the story`,
        input: ({ context }: { context: StoryContext }) => ({ leadId: context.leadId }),
      }),
      older: olderPages({
        guard: "hasOlder",
        input: ({ context }: { context: StoryContext }) => ({ leadId: context.leadId, before: context.next ?? "" }),
      }),
    },
  });

export const Story = createChart<typeof createStory>("story");
