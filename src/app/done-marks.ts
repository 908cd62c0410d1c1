import { msg } from "@lingui/core/runtime-macro";
import { createUndoing } from "../machines/kit/undo.ts";
import { failureMessage } from "../machines/kit/writing.ts";
import type { ConversationGateway } from "../services/conversation.ts";
import type { ServerEvents } from "../services/events.ts";
import { createSignal } from "../services/signal.ts";
import { unsubscribeAll } from "../services/unsubscribe-all.ts";
import type { Services } from "./services.ts";

/** Marks conversations done. Undo works for 30 s, also after the user leaves the screen. */
export type DoneMarks = {
  /** `upTo`: the lead's newest message that the user saw; later ones still wait for an answer. */
  mark: (leadId: string, upTo?: string) => Promise<void>;
  /** The server's events, plus the page's own marks at once, without waiting for the stream. */
  events: ServerEvents;
};

const FAILED = {
  refused: msg`The conversation was not marked done. Try again.`,
  unknown: msg`The conversation may have been marked done.`,
};

export function createDoneMarks(
  { notifier, logger, events }: Pick<Services, "notifier" | "logger" | "events">,
  { markDone }: Pick<ConversationGateway, "markDone">,
): DoneMarks {
  const marked = createSignal<[data: unknown]>();
  // Without an id, any lead may have changed.
  const notify = (leadId: string | null) => marked.notify(leadId === null ? {} : { id: leadId });
  const undoing = createUndoing(
    { notifier, logger },
    async ({ id }) => {
      await markDone({ leadId: id, isDone: false });
      return id;
    },
    {
      deleted: msg`Marked done until they write again.`,
      restored: msg`Back in Waiting.`,
      failed: {
        refused: msg`The conversation was not put back in Waiting.`,
        unknown: msg`The conversation may be back in Waiting.`,
      },
      durationMs: 30_000,
    },
  );
  undoing.onRestored(notify);
  return {
    async mark(leadId, upTo) {
      try {
        await markDone({ leadId, isDone: true, ...(upTo !== undefined && { upTo }) });
        undoing.offer(leadId);
      } catch (error) {
        logger.warn("the conversation was not marked as answered", error);
        notifier.warn(failureMessage(error, FAILED));
      }
      notify(leadId);
    },
    events: {
      subscribe(type, listener) {
        const leave = events.subscribe(type, listener);
        if (type !== "inbox.changed" && type !== "lead.changed") return leave;
        return unsubscribeAll([leave, marked.listen(listener)]);
      },
    },
  };
}
