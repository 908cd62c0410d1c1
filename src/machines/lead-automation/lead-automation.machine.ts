import { assign, setup } from "xstate";
import { type AutomationFacts, isRuleMet } from "../../../domain/lead-automation.ts";

type Known = { context: { facts: AutomationFacts } };

/**
 * What a lead's automation is doing. The first rule of the rule book that applies says it; what stops a lead for good comes before what its
 * account waits for, and that before what its next step waits for. The server decides by the same rules.
 */
export const leadAutomationMachine = setup({
  types: {
    context: {} as { facts: AutomationFacts },
    input: {} as AutomationFacts,
    events: {} as { type: "facts.changed"; facts: AutomationFacts },
  },
  actions: { storeFacts: assign((_, { facts }: { facts: AutomationFacts }) => ({ facts })) },
  guards: {
    hasNoSteps: ({ context: { facts } }: Known) => facts.step === null && !facts.hasSteps,
    hasNoStepLeft: ({ context: { facts } }: Known) => facts.step === null,
    isUnderWay: ({ context }: Known) => isRuleMet("isUnderWay", context.facts),
    isUsed: ({ context }: Known) => isRuleMet("isUsed", context.facts),
    isOptedOut: ({ context }: Known) => isRuleMet("isOptedOut", context.facts),
    isUnreachable: ({ context }: Known) => isRuleMet("isUnreachable", context.facts),
    isHeld: ({ context }: Known) => isRuleMet("isHeld", context.facts),
    hasAnswered: ({ context }: Known) => isRuleMet("hasAnswered", context.facts),
    hasNoAccess: ({ context }: Known) => isRuleMet("hasNoAccess", context.facts),
    isDisconnected: ({ context }: Known) => isRuleMet("isDisconnected", context.facts),
    isSwitchedOff: ({ context }: Known) => isRuleMet("isSwitchedOff", context.facts),
    isStopped: ({ context }: Known) => isRuleMet("isStopped", context.facts),
    isOverdue: ({ context }: Known) => isRuleMet("isOverdue", context.facts),
    isPaused: ({ context }: Known) => isRuleMet("isPaused", context.facts),
    isOutsideHours: ({ context }: Known) => isRuleMet("isOutsideHours", context.facts),
    isAfterBulk: ({ context }: Known) => isRuleMet("isAfterBulk", context.facts),
    isOverLimit: ({ context }: Known) => isRuleMet("isOverLimit", context.facts),
  },
}).createMachine({
  id: "leadAutomation",
  context: ({ input }) => ({ facts: input }),
  initial: "deciding",
  on: {
    "facts.changed": {
      target: ".deciding",
      actions: { type: "storeFacts", params: ({ event }) => ({ facts: event.facts }) },
    },
  },
  states: {
    deciding: {
      always: [
        { guard: "hasNoSteps", target: "no_steps" },
        { guard: "hasNoStepLeft", target: "finished" },
        { guard: "isUnderWay", target: "scheduled" },
        { guard: "isUsed", target: "finished" },
        { guard: "isOptedOut", target: "opted_out" },
        { guard: "isUnreachable", target: "unreachable" },
        { guard: "isHeld", target: "held" },
        { guard: "hasAnswered", target: "answered" },
        { guard: "hasNoAccess", target: "no_subscription" },
        { guard: "isDisconnected", target: "not_connected" },
        { guard: "isSwitchedOff", target: "automation_off" },
        { guard: "isStopped", target: "account_stopped" },
        { guard: "isOverdue", target: "overdue_unconfirmed" },
        { guard: "isPaused", target: "account_paused" },
        { guard: "isOutsideHours", target: "waiting_for_hours" },
        { guard: "isAfterBulk", target: "waiting_after_bulk" },
        { guard: "isOverLimit", target: "waiting_for_limit" },
        { target: "scheduled" },
      ],
    },
    no_steps: {},
    finished: {},
    opted_out: {},
    unreachable: {},
    held: {},
    answered: {},
    no_subscription: {},
    not_connected: {},
    automation_off: {},
    account_stopped: {},
    overdue_unconfirmed: {},
    account_paused: {},
    waiting_for_hours: {},
    waiting_after_bulk: {},
    waiting_for_limit: {},
    scheduled: {},
  },
});
