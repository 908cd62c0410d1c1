import { msg } from "@lingui/core/runtime-macro";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Lead } from "../../../domain/lead.ts";

const MEDIA_ONLY = msg({
  message: "a picture or video",
  comment: "In place of the text of a follow-up that has none.",
});

/** A stage's follow-ups in their order, by what they say. */
export type StepsByStage = Readonly<Record<string, readonly UiTextOrString[]>>;

/** How many follow-ups the lead's stage has. */
export const stepCount = (lead: Lead, steps: StepsByStage): number =>
  lead.stage_id === null ? 0 : (steps[lead.stage_id]?.length ?? 0);

/** What the next follow-up says; null when the lead has got all of its stage. */
export const nextStep = (lead: Lead, steps: StepsByStage): UiTextOrString | null =>
  lead.stage_id === null ? null : (steps[lead.stage_id]?.[lead.followup_order_sent] ?? null);

/** Names the follow-up that the user sees as the next one, of this stay in the stage. */
export const stepShown = ({ stage_id, followup_order_sent, stage_entered_at }: Lead): string =>
  `${stage_id ?? ""}:${followup_order_sent}:${stage_entered_at ?? ""}`;

export const hasStepLeft = (lead: Lead, steps: StepsByStage): boolean => nextStep(lead, steps) !== null;

export type Step = { stage_id: string | null; followup_order: number | null; message: string | null };

/** What the follow-ups of each stage say, in their order. */
export function stepsOf(followups: readonly Step[]): StepsByStage {
  const steps: Record<string, UiTextOrString[]> = {};
  const inOrder = followups.toSorted((a, b) => (a.followup_order ?? 0) - (b.followup_order ?? 0));
  for (const { stage_id, message } of inOrder) {
    if (stage_id !== null) (steps[stage_id] ??= []).push(message?.trim() || MEDIA_ONLY);
  }
  return steps;
}
