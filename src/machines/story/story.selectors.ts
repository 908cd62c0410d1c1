import type { StorySnapshot } from "./story.machine.ts";

export { selectOutdated, selectUnread } from "../kit/reading.ts";

export const selectItems = (story: StorySnapshot) => story.context.items;
/** True until something was read, or could not be. */
export const selectIsLoading = (story: StorySnapshot) => story.matches({ newest: "loading" });
export const selectIsUnread = (story: StorySnapshot) => story.matches({ newest: "unread" });
export const selectOlder = (story: StorySnapshot) => story.value.older;
