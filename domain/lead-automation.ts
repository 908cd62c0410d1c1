import * as v from "valibot";
import { Timestamp } from "./ids.ts";
import { StepRef } from "./story.ts";

/** What a lead's automation may be doing, in the order in which the question is decided. */
export const AUTOMATION_STATES = [
  "no_steps",
  "finished",
  "opted_out",
  "unreachable",
  "held",
  "answered",
  "no_subscription",
  "not_connected",
  "automation_off",
  "account_stopped",
  "overdue_unconfirmed",
  "account_paused",
  "waiting_for_hours",
  "waiting_after_bulk",
  "waiting_for_limit",
  "scheduled",
] as const;
export type AutomationState = (typeof AUTOMATION_STATES)[number];

/**
 * `GET /leads/{id}/automation`: what happens to this lead next by itself. `due_at` is when the step leaves as things stand, null where that
 * depends on a person; `words` say what happens next and who must act.
 */
export const LeadAutomation = v.object({
  state: v.picklist(AUTOMATION_STATES),
  due_at: v.optional(v.nullable(v.string()), null),
  step: v.optional(v.nullable(StepRef), null),
  words: v.string(),
});
export type LeadAutomation = v.InferOutput<typeof LeadAutomation>;

/** `POST /leads/{id}/automation`: `until` belongs to a hold; without it the hold lasts until it is resumed. */
export const LeadAutomationOrder = v.pipe(
  v.strictObject({
    action: v.picklist(["skip", "hold", "resume"], "Must be skip, hold or resume."),
    until: v.optional(v.nullable(Timestamp)),
  }),
  v.forward(
    v.check(({ action, until }) => action === "hold" || until == null, "Only a hold takes a time."),
    ["until"],
  ),
);
export type LeadAutomationOrder = v.InferOutput<typeof LeadAutomationOrder>;
