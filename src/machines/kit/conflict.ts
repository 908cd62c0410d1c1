import { CURRENT_UNREAD, type FailureText } from "./failed.ts";
import { withOutput } from "./payload.ts";
import { reportFailure } from "./reporting.ts";

/** Which of two versions the user keeps of something that was changed here and elsewhere. */
export type Version = "mine" | "saved";

/** Whether a field was changed both in `typed` and in `now`, to different values, since both were as `was`. */
export const isContested = <Form extends object>({ typed, was, now }: Record<"typed" | "was" | "now", Form>): boolean =>
  (Object.keys(now) as (keyof Form)[]).some(
    (field) => typed[field] !== was[field] && now[field] !== was[field] && typed[field] !== now[field],
  );

/**
 * The states after a save was refused as stale: what is typed is merged with what is stored now, and saved again unless a field was changed
 * in both. Needs `fetchSettings`, `storeSettings`, `storeProblem`, `announceSaved` and the guards `isConflict` and `isSaved` in the chart's
 * setup. Spread into its states beside `editable` and `saving`.
 */
export const mergingSettings = (text: FailureText) => ({
  merging: {
    invoke: {
      id: "fetchCurrent" as const,
      src: "fetchSettings" as const,
      onDone: { target: "merged" as const, actions: withOutput("storeSettings") },
      onError: {
        target: "editable.refreshing" as const,
        actions: [
          { type: "storeProblem" as const, params: { error: CURRENT_UNREAD, text } },
          reportFailure("the settings were not saved"),
        ],
      },
    },
  },
  merged: {
    always: [
      { guard: "isConflict" as const, target: "editable" as const },
      { guard: "isSaved" as const, target: "editable" as const, actions: "announceSaved" as const },
      { target: "saving" as const },
    ],
  },
});
