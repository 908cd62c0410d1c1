import type { ForecastKind } from "./forecast.ts";
import type { AllowedHours } from "./schedule.ts";

/** All times here are milliseconds since 1970. */
export type RunStep = { id: string; place: number; delayMs: number; createdAt: number };

/** What a lead's automation depends on; the run moves it on as messages leave. */
export type RunLead = {
  id: string;
  epoch: number;
  /** by place */
  steps: readonly RunStep[];
  /** the place from which on it has got nothing */
  cursor: number;
  anchor: number;
  unreachableReason: string | null;
  isOptedOut: boolean;
  /** held by a person until it is resumed */
  isHeld: boolean;
  /** no step is due before then: the end of a hold, or -Infinity */
  heldUntil: number;
  /** what was skipped in this stage entry, and from when the next step counts, or -Infinity */
  skipped: readonly string[];
  countsFrom: number;
  /** the person spoke last: steps wait for a word of ours by hand */
  hasReplied: boolean;
  lastMessageAt: number | null;
  lastBulkAt: number | null;
  importedAt: number | null;
};

/** A message in the queue. `spread` tells where it stands in an opening's spread, from 0 up to 1. */
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
  /** Telegram will refuse it: it takes its time in the account's rhythm and changes nothing else */
  isRefused: boolean;
  expiresAt: number | null;
};

/** What a rule will tell of at `at`: one lead that is `days` in its stage, or, as a digest, `count` of them. */
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
  /** sends by hand go on all the same */
  isStopped: boolean;
  /** when access ends, Infinity for never */
  accessUntil: number;
  isAutomated: boolean;
  automatedSince: number;
  /** automatic messages are written down, and none leaves */
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
  /** whether a step went out in this stage entry already, or never will */
  isUsed(lead: RunLead, step: RunStep): boolean;
};

/** The step that a lead stands before: the first from its cursor on. */
export const stepAfter = ({ steps, cursor }: Pick<RunLead, "steps" | "cursor">): RunStep | undefined =>
  steps.find(({ place }) => place >= cursor);
