import { type DoneActorEvent, type SnapshotFrom, assign, raise, setup } from "xstate";
import { withEvent } from "../kit/payload.ts";
import { reading, type ReadingEvent } from "../kit/reading.ts";
import { failed, problemOf } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import { type Automation, type Hold, CHANGE_FAILED, placeholderActors, stepShown } from "./automation-hold.actors.ts";
import { isWhole } from "./automation-hold.until.ts";

type AutomationHoldContext = {
  leadId: string;
  automation: Automation | null;
  hold: Hold;
  /** Why the last change did not come about. */
  problem: string | null;
};

const BLANK: Hold = { choice: "tomorrow", date: "" };

/** What is at rest already: there is nothing to hold. */
const RESTING = ["held", "opted_out"];

type Args = { context: AutomationHoldContext };
const leadOf = ({ context }: Args) => ({ leadId: context.leadId });
const steered = (event: DoneActorEvent<Automation | null>) => ({ automation: event.output });

/**
 * What becomes of a lead's next step: it can be skipped, held for a while and let go on. Each only where the automation's state
 * allows it, one at a time, and none before the state was read.
 */
export const automationHoldMachine = setup({
  types: {
    input: {} as { leadId: string },
    context: {} as AutomationHoldContext,
    events: {} as
      | ReadingEvent
      | { type: "reason.ask" }
      | { type: "step.skip" }
      | { type: "hold.choose" }
      | { type: "hold.change"; change: Partial<Hold> }
      | { type: "hold.cancel" }
      | { type: "hold.submit" }
      | { type: "automation.resume" },
  },
  actors: placeholderActors,
  actions: {
    storeAutomation: assign((_, automation: Automation | null) => ({ automation })),
    storeSteered: assign((_, params: { automation: Automation | null }) => ({ ...params, problem: null })),
    startHold: assign({ hold: BLANK, problem: null }),
    storeHold: assign(({ context }, params: { change: Partial<Hold> }) => ({
      hold: { ...context.hold, ...params.change },
      problem: null,
    })),
    storeProblem: assign(problemOf),
    refresh: raise({ type: "reading.refresh" }),
    reportFailure: unreported,
  },
  guards: {
    isKnown: ({ context }) => context.automation !== null,
    hasStep: ({ context }) => (context.automation?.step ?? null) !== null,
    canHold: ({ context }) => context.automation !== null && !RESTING.includes(context.automation.state),
    cannotHold: ({ context }) => context.automation === null || RESTING.includes(context.automation.state),
    isWhole: ({ context }) => isWhole(context.hold),
    canResume: ({ context }) => context.automation !== null && RESTING.includes(context.automation.state),
  },
}).createMachine({
  id: "automationHold",
  context: ({ input }) => ({ leadId: input.leadId, automation: null, hold: BLANK, problem: null }),
  invoke: { id: "watchLead", src: "watchLead" },
  type: "parallel",
  states: {
    state: reading({ src: "readAutomation", store: "storeAutomation", what: "what happens next", input: leadOf }),
    /** Whether the person has asked why: the answer is read anew and told. */
    reason: {
      initial: "unasked",
      states: {
        unasked: { on: { "reason.ask": { guard: "isKnown", target: "asked", actions: "refresh" } } },
        asked: { on: { "reason.ask": { actions: "refresh" } } },
      },
    },
    work: {
      initial: "resting",
      states: {
        resting: {
          on: {
            "step.skip": { guard: "hasStep", target: "skipping" },
            "hold.choose": { guard: "canHold", target: "choosing", actions: "startHold" },
            "automation.resume": { guard: "canResume", target: "resuming" },
          },
        },
        choosing: {
          // Another screen may have held it meanwhile, or the person may have opted out.
          always: { guard: "cannotHold", target: "resting" },
          on: {
            "hold.change": { actions: withEvent("storeHold") },
            "hold.cancel": "resting",
            "hold.submit": { guard: "isWhole", target: "holding" },
          },
        },
        skipping: {
          invoke: {
            id: "skipStep",
            src: "skipStep",
            input: ({ context }) => ({ leadId: context.leadId, shown: stepShown(context.automation) }),
            onDone: { target: "resting", actions: { type: "storeSteered", params: ({ event }) => steered(event) } },
            onError: {
              target: "resting",
              actions: [...failed(CHANGE_FAILED, "a step was not skipped"), "refresh"],
            },
          },
        },
        holding: {
          invoke: {
            id: "hold",
            src: "hold",
            input: ({ context }) => ({ leadId: context.leadId, ...context.hold }),
            onDone: { target: "resting", actions: { type: "storeSteered", params: ({ event }) => steered(event) } },
            onError: {
              target: "choosing",
              actions: [...failed(CHANGE_FAILED, "a lead was not held"), "refresh"],
            },
          },
        },
        resuming: {
          invoke: {
            id: "resume",
            src: "resume",
            input: leadOf,
            onDone: { target: "resting", actions: { type: "storeSteered", params: ({ event }) => steered(event) } },
            onError: {
              target: "resting",
              actions: [...failed(CHANGE_FAILED, "a lead was not resumed"), "refresh"],
            },
          },
        },
      },
    },
  },
});

export type AutomationHoldSnapshot = SnapshotFrom<typeof automationHoldMachine>;
