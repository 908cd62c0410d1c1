import { msg } from "@lingui/core/runtime-macro";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Lead } from "../../../domain/lead.ts";

const MEDIA_ONLY = msg({
  message: "a picture or video",
  comment: "In place of the text of a follow-up that has none.",
});

/** The messages of each stage's follow-ups, in order. */
export type StepsByStage = Readonly<Record<string, readonly UiTextOrString[]>>;

/** How many follow-ups the lead's stage has. */
export const stepCount = (lead: Lead, steps: StepsByStage): number =>
  lead.stage_id === null ? 0 : (steps[lead.stage_id]?.length ?? 0);

/** The next follow-up's message; null if the lead has received all of its stage. */
export const nextStep = (lead: Lead, steps: StepsByStage): UiTextOrString | null =>
  lead.stage_id === null ? null : (steps[lead.stage_id]?.[lead.followup_order_sent] ?? null);

/** Identifies the follow-up shown as the next one, in the current stay in the stage. */
export const stepShown = ({ stage_id, followup_order_sent, stage_entered_at }: Lead): string =>
  `${stage_id ?? ""}:${followup_order_sent}:${stage_entered_at ?? ""}`;

export const hasStepLeft = (lead: Lead, steps: StepsByStage): boolean => nextStep(lead, steps) !== null;

export type Step = { stage_id: string | null; followup_order: number | null; message: string | null };

/** Returns the messages of each stage's follow-ups, in order. */
export function stepsOf(followups: readonly Step[]): StepsByStage {
  const steps: Record<string, UiTextOrString[]> = {};
  const inOrder = followups.toSorted((a, b) => (a.followup_order ?? 0) - (b.followup_order ?? 0));
  for (const { stage_id, message } of inOrder) {
    if (stage_id !== null) (steps[stage_id] ??= []).push(message?.trim() || MEDIA_ONLY);
  }
  return steps;
}
