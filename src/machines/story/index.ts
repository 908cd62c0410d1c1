import { createReporter } from "../kit/reporting.ts";
import { type StoryDeps, createStoryActors } from "./story.actors.ts";
import { storyMachine } from "./story.machine.ts";

/** A lead's story over a gateway. */
export const createStory = (deps: StoryDeps) =>
  storyMachine.provide({
    actors: createStoryActors(deps),
    actions: { reportFailure: createReporter(deps.logger) },
  });

export type { StoryDeps } from "./story.actors.ts";
export { StoryProvider, useCanStory, useStory, useStoryEvents } from "./story.context.tsx";
export { storyMachine } from "./story.machine.ts";
export * from "./story.selectors.ts";
export { lineOf } from "./story.words.ts";
