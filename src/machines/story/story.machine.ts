import { type SnapshotFrom, assign, raise, setup } from "xstate";
import type { StoryItem, StoryPage } from "../../../domain/story.ts";
import { type ReadingEvent, reading, readingOlder } from "../kit/reading.ts";
import { unreported } from "../kit/reporting.ts";
import { placeholderActors } from "./story.actors.ts";

type StoryContext = {
  leadId: string;
  /** Newest first. */
  items: readonly StoryItem[];
  /** Behind which item the older ones stand; null when all are here. */
  next: string | null;
};

/** A newer first page in front of what was read; where more happened than a page holds, it stands alone. */
function withNewest({ items, next }: StoryContext, page: StoryPage): Pick<StoryContext, "items" | "next"> {
  const fresh = new Set(page.items.map(({ id }) => id));
  if (!items.some(({ id }) => fresh.has(id))) return page;
  return { items: [...page.items, ...items.filter(({ id }) => !fresh.has(id))], next };
}

/**
 * What happened to a lead, page by page. Older items are read one page at a time, and none while nothing is known or all of them are
 * here.
 */
export const storyMachine = setup({
  types: {
    input: {} as { leadId: string },
    context: {} as StoryContext,
    events: {} as ReadingEvent | { type: "story.changed" } | { type: "older.load" },
  },
  actors: placeholderActors,
  actions: {
    storeNewest: assign(({ context }, page: StoryPage) => withNewest(context, page)),
    // A page behind an item that has left the list would leave a hole.
    storeOlder: assign(({ context }, { page, before }: { page: StoryPage; before: string }) =>
      before === context.next ? { items: [...context.items, ...page.items], next: page.next } : {},
    ),
    refresh: raise({ type: "reading.refresh" }),
    reportFailure: unreported,
  },
  guards: { hasOlder: ({ context }) => context.next !== null },
}).createMachine({
  id: "story",
  context: ({ input }) => ({ leadId: input.leadId, items: [], next: null }),
  invoke: { id: "watchStory", src: "watchStory", input: ({ context }) => ({ leadId: context.leadId }) },
  on: { "story.changed": { actions: "refresh" } },
  type: "parallel",
  states: {
    newest: reading({
      src: "fetchNewest",
      store: "storeNewest",
      what: "the story",
      input: ({ context }: { context: StoryContext }) => ({ leadId: context.leadId }),
    }),
    older: readingOlder({
      guard: "hasOlder",
      what: "older parts of a story",
      input: ({ context }: { context: StoryContext }) => ({ leadId: context.leadId, before: context.next ?? "" }),
    }),
  },
});

export type StorySnapshot = SnapshotFrom<typeof storyMachine>;
