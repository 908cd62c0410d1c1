import type { AnyEventObject, AnyMachineSnapshot } from "xstate";
import { PAUSE_MESSAGES, type BulkJob } from "../../domain/bulk.ts";
import { english } from "../support/english.ts";
import { MEDIA_MAX_BYTES, MESSAGE_MAX_CHARS } from "../../domain/limits.ts";
import type { Preflight } from "../../domain/preflight.ts";
import type { Stage } from "../../domain/stage.ts";
import { createBulkJob } from "../../src/machines/bulk-job/bulk-job.machine.ts";
import type { RememberedJob } from "../../src/machines/bulk-job/bulk-job.memory.ts";
import { causeOf } from "../support/walk-machine.ts";
import { done, failed, modelOf, offline, refusedWith } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const bulkJobMachine = createBulkJob(fakePage(), {
  jobMemory: { write: () => {}, clear: () => {} },
  forgetDraft: () => {},
});

export const stages: Stage[] = [
  { id: "s1", name: "New", color: "#999999", order: 1, keywords: ["hi"] },
  { id: "s2", name: "Hot", color: "#ff0000", order: 2, keywords: ["buy"] },
];
export const job = (status: BulkJob["status"], sent = 0, rest: Partial<BulkJob> = {}): BulkJob => ({
  job_id: "job-1",
  status,
  sent_count: sent,
  failed_count: 0,
  total_targets: 12,
  error: null,
  paused_until: null,
  paused_reason: null,
  paused_code: null,
  is_held: false,
  ...rest,
});
/** The account was disconnected for more than a day, so the job waits for the user. */
export const held = job("in_progress", 3, {
  is_held: true,
  paused_reason: english(PAUSE_MESSAGES.held),
  paused_code: "held",
});
export const refused = job("failed", 0, { error: "Spam limit" });
/** The largest allowed file. */
export const picture = new File([new Uint8Array(MEDIA_MAX_BYTES)], "offer.png", { type: "image/png" });
const document = new File(["x"], "offer.pdf", { type: "application/pdf" });
export const film = new File([new Uint8Array(MEDIA_MAX_BYTES + 1)], "film.mp4", { type: "video/mp4" });
export const preflight: Preflight = {
  targets: 12,
  reachable: 10,
  skipped: [{ reason: "OPTED_OUT", words: "Each of them asked for no more messages.", count: 2 }],
  cold: 4,
  cold_left_today: 16,
  starts_at: "2026-03-05T14:05:00.000Z",
  finishes_at: "2026-03-05T15:10:00.000Z",
  unchecked: 1,
};
const events: AnyEventObject[] = [
  ...done("listStages", stages),
  ...done("countLeads", 0, 12),
  ...done("preflight", null, preflight),
  ...done("askConfirmation", true, false),
  ...done("queueMessages", { jobId: "job-1" }),
  ...done("findJob", null, job("in_progress", 3)),
  ...done("cancelJob", { sent: 4, total: 12 }, null),
  ...done("continueJob", job("in_progress", 3)),
  ...["fetchJob", "fetchRememberedJob"].flatMap((id) => [
    ...done(id, job("in_progress", 3), held, job("completed", 10, { failed_count: 2 }), refused),
    ...failed(id, offline, refusedWith(401), refusedWith(404)),
  ]),
  { type: "stage.choose", stageId: "s2" },
  { type: "media.choose", file: picture },
  { type: "media.choose", file: document },
  { type: "media.choose", file: film },
  { type: "message.send", message: "hi", throttle: "0.3" },
  { type: "message.send", message: " ", throttle: "0.3" },
  { type: "message.send", message: "hi", throttle: "20" },
  { type: "message.send", message: "x".repeat(MESSAGE_MAX_CHARS + 1), throttle: "0.3" },
  { type: "job.changed", jobId: null },
];
/** The preflight result arrives once. It updates an open confirmation only if that opened before. */
const mayPreflight = (snapshot: AnyMachineSnapshot, { type }: AnyEventObject): boolean =>
  !type.endsWith("actor.preflight") ||
  !snapshot.matches({ composer: { asking: "confirming" } }) ||
  snapshot.context.preflightResult.kind === "late";
/** A job progresses only while no dialog is open. `job.queued` comes from the composer, never from outside. */
const allow = (snapshot: AnyMachineSnapshot, event: AnyEventObject) =>
  mayPreflight(snapshot, event) &&
  event.type !== "job.queued" &&
  (["composing", "queueing"].some((composer) => snapshot.matches({ composer })) ||
    !/^job|\w+Job$|Cancel$|Failure$|after (poll|result)/.test(causeOf(event)));
const project = ({ value, context }: AnyMachineSnapshot) => {
  const { composer, job: jobState, stages: stagesState } = value as { composer: unknown; job: unknown; stages: string };
  const isFresh = composer === "composing" && context.message === "" && context.media === null;
  const isBlank = context.message === " " && context.media === null;
  return [
    isFresh && jobState === "looking" && stagesState,
    composer,
    [jobState, context.progress?.isHeld],
    composer === "composing" ? null : [isBlank, context.message.length, context.throttle],
  ];
};
export const bulkJobInputs: { remembered: RememberedJob | null }[] = [
  { remembered: null },
  { remembered: { jobId: "job-1", progress: null, result: null } },
];

export const bulkJobModel = modelOf(bulkJobMachine, {
  unreported: ["fetchJob", "fetchRememberedJob"],
  events,
  project,
  allow,
  delays: { pollPause: 3_000, resultDuration: 10_000, preflightPatience: 2_500 },
});
