import { fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import type { FailureText } from "../kit/failed.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import { type HoldChoice, holdUntil } from "./automation-hold.until.ts";

/** What a lead's automation is doing, in the server's own words. */
export type Automation = {
  state: string;
  due_at: string | null;
  /** `order` is null for a step that is gone */
  step: { id: string; order: number | null; preview: string } | null;
  words: string;
  stage_entered_at: string | null;
};

/** Names the next step of this stay in the stage. */
export const stepShown = (automation: Automation | null): string =>
  `${automation?.step?.id ?? ""}:${automation?.stage_entered_at ?? ""}`;

export type Steering = { action: "skip" | "hold" | "resume"; until?: string | null };

export type AutomationGateway = {
  /** Null where the server knows no such lead, or not the call. */
  read(input: { leadId: string }, signal: AbortSignal): Promise<Automation | null>;
  /** Resolves to what holds from now on. `shown` names the step that the user saw: a retry never skips another. */
  steer(input: Steering & { leadId: string; shown?: string }): Promise<Automation | null>;
};

export type AutomationHoldDeps = WritingDeps & {
  automation: AutomationGateway;
  now: () => number;
  /** Tells that the lead's other facts were read anew: its automation may have changed with them. */
  onLeadRead: (listener: () => void) => () => void;
};

export const CHANGE_FAILED: FailureText = {
  refused: "It was not changed. Try again.",
  unknown: "It may have been changed.",
};

export type Hold = { choice: HoldChoice; date: string };
type Lead = { leadId: string };
type Skip = Lead & { shown: string };

export const placeholderActors = {
  readAutomation: notProvided<Automation | null, Lead>("readAutomation"),
  skipStep: notProvided<Automation | null, Skip>("skipStep"),
  hold: notProvided<Automation | null, Lead & Hold>("hold"),
  resume: notProvided<Automation | null, Lead>("resume"),
  watchLead: unwatched,
};

export function createAutomationHoldActors(deps: AutomationHoldDeps): typeof placeholderActors {
  const { automation, now, onLeadRead } = deps;
  const steering = <Input extends Lead>(
    of: (input: Input) => Steering & { shown?: string },
    done: string,
    failed: FailureText,
  ) =>
    writing<Automation | null, Input>(deps, (input) => automation.steer({ leadId: input.leadId, ...of(input) }), {
      done,
      failed: failed,
    });
  return {
    readAutomation: fromPromise(({ input, signal }) => automation.read(input, signal)),
    skipStep: steering<Skip>(({ shown }) => ({ action: "skip", shown }), "Step skipped", {
      refused: "The step was not skipped.",
      unknown: "The step may have been skipped.",
    }),
    hold: steering<Lead & Hold>(
      (input) => {
        const until = holdUntil(input, now());
        return until === null ? { action: "hold" } : { action: "hold", until };
      },
      "Automation held",
      { refused: "Automation was not held.", unknown: "Automation may have been held." },
    ),
    resume: steering<Lead>(() => ({ action: "resume" }), "Automation resumed", {
      refused: "Automation was not resumed.",
      unknown: "Automation may have been resumed.",
    }),
    watchLead: watchingReturns(onLeadRead),
  };
}
