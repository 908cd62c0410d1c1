import { type SnapshotFrom, assign, setup } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import { type ReadingEvent, type ReadingTag, reading } from "../kit/reading.ts";
import { unreported } from "../kit/reporting.ts";

/** One thing that is read and shown by itself, such as a figure: what failed is told beside it, and delays no other. */
export const readingMachine = setup({
  types: {
    /** `what` is read, as it stands in the middle of a sentence. */
    input: {} as { what: string },
    context: {} as { what: string; value: unknown },
    events: {} as ReadingEvent,
    tags: {} as ReadingTag,
  },
  actors: { read: notProvided<unknown, void>("read") },
  actions: { storeValue: assign((_, value: unknown) => ({ value })), reportFailure: unreported },
}).createMachine({
  id: "reading",
  context: ({ input }) => ({ what: input.what, value: undefined }),
  ...reading({ src: "read", store: "storeValue", what: "this" }),
});

export type ReadingSnapshot = SnapshotFrom<typeof readingMachine>;
