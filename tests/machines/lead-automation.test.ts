import { expect, it } from "vitest";
import { initialTransition } from "xstate";
import { automationMessage } from "../../domain/automation-messages.ts";
import {
  AUTOMATION_GUARDS,
  type AutomationFacts,
  automationState,
  leadAutomation,
  READY_TO_SEND,
  type StepUse,
} from "../../domain/lead-automation.ts";
import { leadAutomationMachine } from "../../src/machines/lead-automation/lead-automation.machine.ts";
import { english } from "../support/english.ts";

const HOUR_MS = 3_600_000;
const NOW = Date.parse("2030-03-05T12:00:00.000Z");

/** Returns a reproducible source of whole numbers below `n`. */
function numbers(seed: number) {
  let state = seed;
  return (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
const pick = numbers(7);
const oneIn = (n: number) => pick(n) === 0;
const one = <T>(...of: T[]): T => of[pick(of.length)] as T;
const around = () => NOW + one(-40, -2, 0, 2, 40) * HOUR_MS;

const fate = (): StepUse => ({
  state: one("pending", "pending", "sending", "sent", "unknown", "failed", "skipped", "would_send"),
  reason: one("MESSAGE_EMPTY", "PEER_ID_INVALID"),
  notBefore: one(null, around()),
  isConfirmed: oneIn(2),
  isUncertain: oneIn(6),
});

const facts = (): AutomationFacts => ({
  now: NOW,
  hasSteps: !oneIn(3),
  isOptedOut: oneIn(12),
  unreachableReason: oneIn(12) ? "USER_IS_BLOCKED" : null,
  heldUntil: oneIn(8) ? one(Infinity, around()) : null,
  isStageDeleted: oneIn(2),
  step: oneIn(12)
    ? null
    : {
        dueAt: around(),
        createdAt: NOW - one(0, 100) * HOUR_MS,
        hasReplied: oneIn(12),
        use: oneIn(4) ? fate() : null,
      },
  importedAt: oneIn(8) ? around() : null,
  lastMessageAt: one(null, NOW, NOW - 1_000 * HOUR_MS),
  lastBulkAt: oneIn(5) ? NOW - HOUR_MS / 2 : null,
  hasAccess: !oneIn(12),
  isConnected: !oneIn(12),
  isAutomated: !oneIn(12),
  automatedSince: one(null, around()),
  isDryRun: oneIn(8),
  dryRunEndedAt: oneIn(8) ? around() : null,
  isStopped: oneIn(12),
  pausedUntil: oneIn(5) ? around() : null,
  coldLeft: one(0, 5),
  hours: one({ startHour: 0, endHour: 0 }, { startHour: 13, endHour: 20 }),
  spread: 0.5,
});

it("decides the state like an XState actor of the chart", () => {
  const taken = new Set<string>();
  for (let count = 0; count < 5_000; count += 1) {
    const known = facts();
    const [{ value }] = initialTransition(leadAutomationMachine, known);
    expect(automationState(known)).toBe(value);
    taken.add(Object.entries(AUTOMATION_GUARDS).find(([, isMet]) => isMet(known))?.[0] ?? "none");
  }
  expect([...taken].toSorted()).toEqual([...Object.keys(AUTOMATION_GUARDS), "none"].toSorted());
});

it.each(["MESSAGE_TOO_LONG", "UPLOAD_FAILED", "FILE_REFERENCE_EXPIRED"])(
  "waits for the user after the refusal %s",
  (reason) => {
    const use = { state: "failed", reason, notBefore: null, isConfirmed: false, isUncertain: false } as const;
    const step = { dueAt: NOW, createdAt: NOW, hasReplied: false, use };
    const found = leadAutomation({ ...READY_TO_SEND, now: NOW, step });
    expect(found).toEqual({ state: "held", dueAt: null, code: "held_content", reason });
  },
);

it("ends a hold at its moment", () => {
  const step = { dueAt: NOW, createdAt: NOW, hasReplied: false, use: null };
  const stateAt = (heldUntil: number) => automationState({ ...READY_TO_SEND, now: NOW, step, heldUntil });
  expect([NOW + 1, NOW].map(stateAt)).toEqual(["held", "scheduled"]);
});

it("describes each state in one sentence, with a time only if one is certain", () => {
  const timed = ["scheduled", "account_paused", "waiting_for_hours", "waiting_after_bulk", "waiting_for_limit"];
  for (let count = 0; count < 2_000; count += 1) {
    const { state, dueAt, code, reason } = leadAutomation(facts());
    expect(english(automationMessage(code, reason))).toMatch(/^[A-Z].*\.$/);
    const isTimed = dueAt !== null && dueAt >= NOW;
    expect([state, isTimed]).toEqual([state, timed.includes(state) || (state === "held" && isTimed)]);
  }
});
