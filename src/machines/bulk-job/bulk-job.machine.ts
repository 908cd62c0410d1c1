import type { SnapshotFrom } from "xstate";
import { asking, telling } from "../kit/asking.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { firstReading } from "../kit/reading.ts";
import { type FailureText, failed } from "../kit/failed.ts";
import { reportFailure } from "../kit/reporting.ts";
import {
  type BulkJobContext,
  alertAt,
  alertWith,
  bulkJobSetup,
  foundJobOf,
  jobIdOf,
  jobOf,
  queued,
  remember,
  areChosen,
  stageNameOf,
} from "./bulk-job.setup.ts";
import { CHOSEN, confirmationText } from "./bulk-job.question.ts";
import { BULK_TEXTS, CANCEL_FAILED, CONTINUE_FAILED, COUNT_FAILED, QUEUE_FAILED } from "./bulk-job.texts.ts";

/** What is read of a job that this page did not start. */
const RUNNING_JOB = "whether a bulk message is being sent";

const jobProblem = (text: FailureText) => ({
  type: "storeJobProblem" as const,
  params: ({ event }: { event: { error: unknown } }) => ({ error: event.error, text }),
});

type Now = { context: BulkJobContext };
const alertOf = ({ context }: Now) => ({ message: context.alert });
const questionOf = ({ context }: Now) => ({
  message: confirmationText(
    areChosen(context) ? CHOSEN : stageNameOf(context),
    context.leadCount ?? 0,
    context.foresight,
  ),
});

/**
 * Sends one message to many leads. The composer checks a message in the screen's order, asks, and queues it; the job
 * beside it is polled, one call in flight, until it ends, and is picked up again after a reload.
 */
export const bulkJobMachine = bulkJobSetup.createMachine({
  id: "bulkJob",
  context: ({ input }) => ({
    stages: [],
    stageId: input.stageId ?? "",
    media: input.media ?? null,
    message: "",
    throttle: "",
    leadCount: null,
    foresight: { kind: "untold" },
    alert: "",
    marks: {},
    problem: null,
    jobProblem: null,
    jobId: input.remembered?.jobId ?? null,
    progress: input.remembered?.progress ?? null,
    result: null,
    cancelled: null,
  }),
  type: "parallel",
  states: {
    stages: {
      initial: "loading",
      states: {
        ...firstReading({ src: "listStages", store: "storeStages", what: "the stages", shown: "loaded" }),
        loaded: {},
      },
    },
    composer: {
      initial: "composing",
      states: {
        composing: {
          on: {
            "stage.choose": { actions: withEvent("storeStageId") },
            "media.choose": [
              {
                guard: withEvent("isTooLarge"),
                target: "alerting",
                actions: ["forgetMedia", ...alertAt("media", "fileTooLarge")],
              },
              {
                guard: withEvent("isNotMedia"),
                target: "alerting",
                actions: ["forgetMedia", ...alertAt("media", "notMedia")],
              },
              { actions: withEvent("storeMedia") },
            ],
            "message.send": { target: "countingLeads", actions: withEvent("storeMessage") },
          },
        },
        countingLeads: {
          tags: "busy",
          // Choosing another target gives the count up: a call that hangs must not lock the person in.
          on: {
            "stage.choose": { target: "composing", actions: withEvent("storeStageId") },
          },
          invoke: {
            id: "countLeads",
            src: "countLeads",
            input: ({ context }) => ({ stageId: context.stageId }),
            onDone: {
              target: "checking",
              actions: { type: "storeLeadCount", params: ({ event }) => ({ count: event.output }) },
            },
            onError: {
              target: "alerting",
              actions: [alertWith("notQueued"), ...failed(COUNT_FAILED, "the leads were not counted")],
            },
          },
        },
        checking: {
          always: [
            // The screen says 'No Leads In Stage.' by itself; a message that was ready to go is told why it does not.
            { guard: "hasNoLeadsNorMessage", target: "composing" },
            { guard: "hasNothingToSend", target: "alerting", actions: alertAt("message", "nothingToSend") },
            { guard: "isTooLong", target: "alerting", actions: "storeTooLongAlert" },
            { guard: "isThrottleOutOfRange", target: "alerting", actions: alertWith("throttleOutOfRange") },
            { guard: "hasNoLeads", target: "alerting", actions: "storeNoLeadsAlert" },
            { guard: "hasRunningJob", target: "alerting", actions: alertWith("alreadySending") },
            { target: "asking" },
          ],
        },
        // Every refusal has come before. The question tells what the message would do: what is not known in time is told in it when it comes.
        asking: {
          tags: "busy",
          initial: "foreseeing",
          invoke: {
            id: "foresee",
            src: "foresee",
            input: ({ context: { stageId, throttle, message } }) => ({
              stageId,
              throttle: String(Number(throttle)),
              messageLength: message.length,
            }),
            onDone: {
              target: ".confirming",
              actions: { type: "storePreflight", params: ({ event }) => ({ preflight: event.output }) },
            },
            onError: {
              target: ".confirming",
              actions: [
                { type: "storeForesight", params: { kind: "unread" } },
                reportFailure("what the bulk message would do could not be read"),
              ],
            },
          },
          states: {
            foreseeing: {
              on: {
                "stage.choose": { target: "#bulkJob.composer.composing", actions: withEvent("storeStageId") },
              },
              after: {
                preflightPatience: {
                  target: "confirming",
                  actions: { type: "storeForesight", params: { kind: "late" } },
                },
              },
            },
            // Entered anew when the figures come: the question is asked again, with them.
            confirming: asking(questionOf, { yes: "#bulkJob.composer.queueing", no: "#bulkJob.composer.composing" }),
          },
        },
        queueing: {
          tags: "busy",
          invoke: {
            id: "queueMessages",
            src: "queueMessages",
            input: ({ context: { message, stageId, throttle, media } }) => ({
              message,
              stageId,
              throttle: String(Number(throttle)),
              media,
            }),
            onDone: { target: "composing", actions: withOutput("announceJob") },
            onError: {
              target: "alerting",
              actions: [alertWith("notQueued"), ...failed(QUEUE_FAILED, "the messages were not queued"), "lookForJob"],
            },
          },
        },
        alerting: telling(alertOf, "composing"),
      },
    },
    job: {
      initial: "remembering",
      invoke: { id: "watchJob", src: "watchJob" },
      states: {
        remembering: { always: [{ guard: "hasRememberedJob", target: "resuming" }, { target: "looking" }] },
        resuming: {
          invoke: {
            id: "fetchRememberedJob",
            src: "fetchJob",
            input: jobIdOf,
            onDone: [
              {
                guard: { type: "isRunning", params: jobOf },
                target: "running",
                actions: { type: "storeProgress", params: jobOf },
              },
              { target: "looking" },
            ],
            onError: [
              { guard: withEvent("isGone"), target: "looking" },
              { target: "running.stalled", actions: reportFailure("the job left behind was not found again") },
            ],
          },
        },
        // A job that another tab or program has started is shown here too.
        looking: {
          entry: ["forgetJob", "forgetRememberedJob"],
          on: { "job.queued": queued },
          invoke: {
            id: "findJob",
            src: "findJob",
            input: ({ event }) => ({ jobId: event.type === "job.changed" ? event.jobId : null }),
            onDone: [
              {
                guard: { type: "isFound", params: foundJobOf },
                target: "running",
                actions: [
                  { type: "storeFoundJob", params: foundJobOf },
                  { type: "storeProgress", params: foundJobOf },
                ],
              },
              { target: "absent" },
            ],
            onError: { target: "unread", actions: reportFailure(`${RUNNING_JOB} could not be read`) },
          },
        },
        unread: {
          tags: "unread",
          meta: { unread: RUNNING_JOB },
          on: { "reading.retry": "looking", "job.queued": queued, "job.changed": "looking" },
        },
        absent: {
          entry: ["forgetJob", "forgetRememberedJob"],
          on: { "job.queued": queued, "job.changed": "looking" },
        },
        running: {
          initial: "waiting",
          on: {
            "job.continue": { guard: "isHeld", target: "continuing" },
            "job.cancel": "cancelling",
            "job.queued": queued,
          },
          states: {
            waiting: {
              entry: remember,
              on: { "job.changed": "polling" },
              after: { pollInterval: "polling" },
            },
            polling: {
              invoke: {
                id: "fetchJob",
                src: "fetchJob",
                input: jobIdOf,
                onDone: [
                  {
                    guard: { type: "isRunning", params: jobOf },
                    target: "waiting",
                    actions: { type: "storeProgress", params: jobOf },
                  },
                  {
                    target: "#bulkJob.job.finished",
                    actions: [
                      { type: "storeProgress", params: jobOf },
                      { type: "storeResult", params: jobOf },
                    ],
                  },
                ],
                onError: [
                  { guard: withEvent("isGone"), target: "#bulkJob.job.absent" },
                  { target: "stalled", actions: reportFailure("the job's progress was not read") },
                ],
              },
            },
            stalled: { on: { "job.recheck": "polling", "job.changed": "polling" } },
          },
        },
        cancelling: {
          entry: "forgetJobProblem",
          invoke: {
            id: "cancelJob",
            src: "cancelJob",
            input: jobIdOf,
            onDone: {
              target: "announcingCancel",
              actions: { type: "storeCancelled", params: ({ event }) => ({ reached: event.output }) },
            },
            onError: {
              target: "announcingFailure",
              actions: [jobProblem(CANCEL_FAILED), reportFailure("the job was not cancelled")],
            },
          },
        },
        continuing: {
          entry: "forgetJobProblem",
          invoke: {
            id: "continueJob",
            src: "continueJob",
            input: jobIdOf,
            onDone: { target: "running", actions: { type: "storeProgress", params: jobOf } },
            // It may go on all the same: its state is read again.
            onError: {
              target: "running.polling",
              actions: [jobProblem(CONTINUE_FAILED), reportFailure("the job was not continued")],
            },
          },
        },
        announcingCancel: {
          ...telling({ message: BULK_TEXTS.cancelled }, "absent", "announceCancel"),
          entry: ["forgetJob", "forgetRememberedJob"],
        },
        announcingFailure: telling({ message: BULK_TEXTS.notCancelled }, "running", "announceFailure"),
        finished: {
          entry: remember,
          on: { "job.queued": queued },
          after: { resultDuration: "absent" },
        },
      },
    },
  },
});

export type BulkJobSnapshot = SnapshotFrom<typeof bulkJobMachine>;
