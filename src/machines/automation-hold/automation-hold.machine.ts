import { msg } from "@lingui/core/runtime-macro";
import { assign, raise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { createAutomationGateway } from "../../services/automation.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { type ReadingEvent, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { loadRegion, watchingReturns } from "../kit/refreshing.ts";
import { type FailureText, failed, problemOf, writing } from "../kit/writing.ts";
import { type HoldChoice, holdUntil, isWhole } from "./automation-hold.until.ts";

type AutomationService = ReturnType<typeof createAutomationGateway>;
type Steering = Parameters<AutomationService["steer"]>[0];
/** The state of a lead's automation, in the server's text. */
export type Automation = NonNullable<Awaited<ReturnType<AutomationService["read"]>>>;

type AutomationHoldParts = {
  automation?: AutomationService;
  now?: () => number;
  /** Calls back when the rest of the lead was reloaded: its automation may have changed too. */
  onLeadRead?: (listener: () => void) => () => void;
};

type Lead = { leadId: string };
type Hold = { choice: HoldChoice; date: string };

const CHANGE_FAILED: FailureText = {
  refused: msg`It was not changed. Try again.`,
  unknown: msg`It may have been changed.`,
};

/** Identifies the next step in the lead's current stay in the stage. */
const stepShown = (automation: Automation | null): string =>
  `${automation?.step?.id ?? ""}:${automation?.stage_entered_at ?? ""}`;

type AutomationHoldContext = {
  leadId: string;
  automation: Automation | null;
  hold: Hold;
  problem: UiTextOrString | null;
};

const BLANK: Hold = { choice: "tomorrow", date: "" };

/** States without anything to hold. */
const RESTING = ["held", "opted_out"];

type Args = { context: AutomationHoldContext };
const leadOf = ({ context }: Args) => ({ leadId: context.leadId });

/**
 * Skips, holds and resumes a lead's next step. Each is possible only where the automation's state allows it, one at a time, and only
 * after that state has loaded.
 */
export const createAutomationHold = (
  page: Page,
  {
    automation = createAutomationGateway(page.http),
    now = Date.now,
    onLeadRead = () => () => {},
  }: AutomationHoldParts = {},
) => {
  const steering = <Input extends Lead>(
    of: (input: Input) => Omit<Steering, "leadId">,
    done: UiTextOrString,
    failure: FailureText,
  ) =>
    writing(page, (input: Input) => automation.steer({ leadId: input.leadId, ...of(input) }), {
      done,
      failed: failure,
    });
  return setup({
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
    actors: {
      readAutomation: fetching(automation.read),
      skipStep: steering(({ shown }: Lead & { shown: string }) => ({ action: "skip", shown }), msg`Step skipped`, {
        refused: msg`The step was not skipped.`,
        unknown: msg`The step may have been skipped.`,
      }),
      hold: steering(
        (input: Lead & Hold) => {
          const until = holdUntil(input, now());
          return until === null ? { action: "hold" } : { action: "hold", until };
        },
        msg`Automation held`,
        { refused: msg`Automation was not held.`, unknown: msg`Automation may have been held.` },
      ),
      resume: steering((_input: Lead) => ({ action: "resume" }), msg`Automation resumed`, {
        refused: msg`Automation was not resumed.`,
        unknown: msg`Automation may have been resumed.`,
      }),
      watchLead: watchingReturns(onLeadRead),
    },
    actions: {
      storeAutomation: assign((_, read: Automation | null) => ({ automation: read })),
      storeSteered: assign((_, changed: Automation | null) => ({ automation: changed, problem: null })),
      startHold: assign({ hold: BLANK, problem: null }),
      storeHold: assign(({ context }, params: { change: Partial<Hold> }) => ({
        hold: { ...context.hold, ...params.change },
        problem: null,
      })),
      storeProblem: assign(problemOf),
      refresh: raise({ type: "reading.refresh" }),
      reportFailure: createReporter(page.logger),
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
      state: loadRegion({
        src: "readAutomation",
        store: "storeAutomation",
        what: msg`what happens next`,
        input: leadOf,
      }),
      /** Whether the user asked for the reason: it is then reloaded and announced. */
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
            // Another tab may have held it, or the lead may have opted out.
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
              onDone: { target: "resting", actions: withOutput("storeSteered") },
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
              onDone: { target: "resting", actions: withOutput("storeSteered") },
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
              onDone: { target: "resting", actions: withOutput("storeSteered") },
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
};

export const AutomationHold = createChart<typeof createAutomationHold>("automation hold");
