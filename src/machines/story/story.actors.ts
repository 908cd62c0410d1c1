import { type EventObject, fromCallback, fromPromise } from "xstate";
import type { StoryPage } from "../../../domain/story.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";

export type StoryGateway = {
  /** A page of what happened to the lead, newest first, behind `before`. */
  readStory(input: { leadId: string; before: string | null }, signal: AbortSignal): Promise<StoryPage>;
};

/** Tells of changes that may have become part of a story; without a lead's id any may be meant. */
export type StoryNews = {
  subscribe(type: "lead.changed" | "message.changed", listener: (data: unknown) => void): () => void;
};

export type StoryDeps = { story: StoryGateway; events: StoryNews; logger: Logger };

export const placeholderActors = {
  fetchNewest: notProvided<StoryPage, { leadId: string }>("fetchNewest"),
  fetchOlder: notProvided<{ page: StoryPage; before: string }, { leadId: string; before: string }>("fetchOlder"),
  watchStory: fromCallback<EventObject, { leadId: string }>(() => {}),
};

export const createStoryActors = ({ story, events }: StoryDeps): typeof placeholderActors => ({
  fetchNewest: fromPromise(({ input, signal }) => story.readStory({ ...input, before: null }, signal)),
  fetchOlder: fromPromise(async ({ input, signal }) => ({
    page: await story.readStory(input, signal),
    before: input.before,
  })),
  watchStory: fromCallback(({ input, sendBack }) => {
    const tell = (id: unknown) => {
      if (id === undefined || id === input.leadId) sendBack({ type: "story.changed" });
    };
    const ends = [
      events.subscribe("lead.changed", (data) => tell((data as { id?: unknown } | null)?.id)),
      events.subscribe("message.changed", (data) => tell((data as { lead_id?: unknown } | null)?.lead_id)),
    ];
    return () => ends.forEach((end) => end());
  }),
});
