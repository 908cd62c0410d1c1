import { createMachineContext } from "../kit/context.tsx";
import { storyMachine } from "./story.machine.ts";

const Story = createMachineContext(storyMachine, (story) => ({
  retry: () => story.send({ type: "reading.retry" }),
  loadOlder: () => story.send({ type: "older.load" }),
}));

export const StoryProvider = Story.Provider;
export const useStory = Story.use;
export const useCanStory = Story.useCan;
/** What a person can do about a lead's story. */
export const useStoryEvents = Story.useVerbs;
