import type { ForecastKind } from "./forecast.ts";
import type { AllowedHours } from "./schedule.ts";

/** All times here are milliseconds since 1970. */
export type RunStep = { id: string; place: number; delayMs: number; createdAt: number };

/** What a lead's automation depends on; the forecast updates it as messages are sent. */
export type RunLead = {
  id: string;
  epoch: number;
  /** by place */
  steps: readonly RunStep[];
  /** the first place from which it has received nothing */
  cursor: number;
  anchor: number;
  unreachableReason: string | null;
  isOptedOut: boolean;
  /** held until the user resumes it */
  isHeld: boolean;
  /** no step is due before then: the end of a hold, or -Infinity */
  heldUntil: number;
  /** the steps from its place on that it has received or skipped in this stage entry */
  passed: readonly string[];
  /** when the next step's delay starts, or -Infinity */
  countsFrom: number;
  /** the lead wrote last: steps wait for a manual reply */
  hasReplied: boolean;
  lastMessageAt: number | null;
  lastBulkAt: number | null;
  importedAt: number | null;
};

/** A message in the queue. `spread` is its position in an opening's spread, from 0 up to 1. */
export type RunRow = {
  id: number;
  kind: ForecastKind;
  priority: number;
  notBefore: number;
  spread: () => number;
  lead: RunLead | null;
  step: RunStep | null;
  reminder: RunReminder | null;
  isUncertain: boolean;
  isConfirmed: boolean;
  /** Telegram will refuse it: it uses its turn and changes nothing else */
  isRefused: boolean;
  expiresAt: number | null;
};

/** A reminder at `at`: about one lead that has been `days` in its stage, or a digest of `count` leads. */
export type RunReminder = {
  at: number;
  ruleId: string;
  leadId: string | null;
  count: number;
  days: number;
  expiresAt: number;
  spread: () => number;
};

export type RunFacts = {
  now: number;
  until: number;
  hours: AllowedHours;
  isConnected: boolean;
  pausedUntil: number | null;
  /** manual sends continue */
  isStopped: boolean;
  /** when access ends, Infinity for never */
  accessUntil: number;
  isAutomated: boolean;
  automatedSince: number;
  /** automatic messages are recorded and not sent */
  isDryRun: boolean;
  dryRunEndedAt: number;
  lastStartedAt: number | null;
  lastGapMs: number;
  dailyCap: number;
  coldToday: number;
  job: { throttleMs: number; pausedUntil: number | null } | null;
  queue: readonly RunRow[];
  /** whose next step becomes due by itself */
  candidates: readonly RunLead[];
  reminders: readonly RunReminder[];
  /** of a step that is not in the queue yet */
  spreadOf(lead: RunLead, step: RunStep): number;
  /** whether a step was sent in this stage entry, or never will be */
  isUsed(lead: RunLead, step: RunStep): boolean;
};

/** Returns a lead's next step: the first one from its place on that it has neither received nor skipped. */
export const stepAfter = ({
  steps,
  cursor,
  passed,
}: Pick<RunLead, "steps" | "cursor" | "passed">): RunStep | undefined =>
  steps.find(({ id, place }) => place >= cursor && !passed.includes(id));
