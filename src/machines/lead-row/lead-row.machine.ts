import { msg } from "@lingui/core/runtime-macro";
import { useSelector } from "@xstate/react";
import { useCallback } from "react";
import { type ActorRefFrom, type EventFrom, type SnapshotFrom, and, assign, setup, stateIn } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Lead } from "../../../domain/lead.ts";
import { failureOf, isOutcomeUnknown } from "../../../domain/problem.ts";
import { createFollowupSends } from "../../services/followup-sends.ts";
import { type NotesDraft, type NotesDrafts, createNotesDrafts } from "../../services/leads.ts";
import type { ReadLead } from "../../services/own-writes.ts";
import { withEvent, withOutput } from "../kit/chart.ts";
import { alerting, confirmState, confirming, isConfirmed, alertState } from "../kit/confirming.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { type FailureText, failureMessage, writing } from "../kit/writing.ts";
import { MOVE_FAILED, type MoveUndo, type RowsList, announceMove, movedLead } from "./lead-row.move.ts";
import { type NotesWrite, savingNotes } from "./lead-row.notes.ts";
import { type StepsByStage, hasStepLeft, stepShown } from "./lead-row.steps.ts";

/** `draft` is a note that has not been saved. */
export type LeadRowInput = { lead: Lead; steps: StepsByStage; draft: NotesDraft | null; list: RowsList | null };

type Send = ReturnType<typeof createFollowupSends>["send"];
type SendOutcome = Awaited<ReturnType<Send>>;

export type LeadRowParts = {
  /** The page's shared gateway: a read of leads must not revert a write. */
  leads: NotesWrite & MoveUndo & { changeStage(input: { leadId: string; stageId: string }): Promise<void> };
  sendFollowup?: Send;
  drafts?: NotesDrafts;
};

const SEND_FAILED: FailureText = {
  refused: msg`Failed to send.`,
  unknown: msg`The follow-up may have been sent. Sending again does not send it twice.`,
};

type LeadRowContext = {
  lead: Lead;
  /** A newer version of the lead, applied once the row is not being edited. */
  newer: ReadLead | null;
  steps: StepsByStage;
  list: RowsList | null;
  notes: string;
  /** The notes that the edit is based on. */
  over: string;
  /** The notes being saved; compared with the field when the save ends. */
  sentNotes: string;
  /** The field lost the focus again during a save. */
  isSaveQueued: boolean;
  /** The dropdown's current option. */
  pickedStageId: string | null;
  refusal: UiTextOrString | null;
  /** A send with unknown outcome got a response, from a proxy or a server that broke off. */
  isAnswered: boolean;
  /** The message about unsaved notes. */
  notesProblem: UiTextOrString;
  /** Why the lead was not moved. */
  stageProblem: UiTextOrString | null;
  /** The lead when the follow-up was sent: a later read may already count it. */
  sentOf: Lead | null;
};

const NOT_SAVED = msg`Not saved.`;
const noteRefusal = (reason: UiTextOrString | null) => (reason === null ? NOT_SAVED : msg`Not saved. ${{ reason }}`);
const sendRefusal = (reason: UiTextOrString | null | undefined) =>
  reason == null ? SEND_FAILED.refused : msg`Failed to send. ${{ reason }}`;
const NOTE_UNANSWERED = { refused: NOT_SAVED, unknown: msg`The note may have been saved.` };

const notesOf = (lead: Lead) => lead.notes ?? "";
/** Returns the lead for the request. A retry identifies the stay like the first attempt, although its start has been read since. */
const withStayOf = (sentOf: Lead | null, lead: Lead): Lead =>
  sentOf?.stage_entered_at === null &&
  sentOf.stage_id === lead.stage_id &&
  sentOf.followup_order_sent === lead.followup_order_sent
    ? { ...lead, stage_entered_at: null }
    : lead;
/** Counts the sent step once, unless the lead has changed stage in the meantime. */
const withStep = (lead: Lead, sentOf: Lead | null): Lead =>
  sentOf === null || sentOf.stage_id !== lead.stage_id
    ? lead
    : { ...lead, followup_order_sent: Math.max(lead.followup_order_sent, sentOf.followup_order_sent + 1) };

type Typing = { context: LeadRowContext; event: { notes: string } };
const typed = [
  withEvent("storeNotes"),
  {
    type: "keepDraft",
    params: ({ context: { lead, over }, event: { notes } }: Typing) => ({ leadId: lead.id, draft: { notes, over } }),
  },
] as const;

const forgettingDraft = {
  type: "forgetDraft",
  params: ({ context: { lead, notes } }: { context: LeadRowContext }) => ({ leadId: lead.id, notes }),
} as const;

/** Sending to a lead who has opted out needs a confirmation. */
const sending = [
  { guard: "isUnwelcome", target: "confirming" },
  { guard: "hasStepLeft", target: "sending" },
] as const;
const hasOptedOut = ({ opted_out_at: at }: Lead) => at != null;

/**
 * A row of the leads list that the user has edited: its notes, its stage and its manual follow-up, independent of each other.
 */
export const createLeadRow = (
  page: Page,
  { leads, sendFollowup = createFollowupSends(page.http).send, drafts = createNotesDrafts(page.drafts) }: LeadRowParts,
) =>
  setup({
    types: {
      input: {} as LeadRowInput,
      context: {} as LeadRowContext,
      events: {} as
        | { type: "lead.refreshed"; lead: ReadLead; steps: StepsByStage }
        | { type: "notes.change"; notes: string }
        | { type: "notes.leave" }
        | { type: "notes.retry" }
        | { type: "stage.edit" }
        | { type: "stage.pick"; stageId: string }
        | { type: "stage.commit" }
        | { type: "stage.choose"; stageId: string }
        | { type: "stage.cancel" }
        | { type: "followup.send" },
    },
    actors: {
      saveNotes: savingNotes(page, { leads, drafts }),
      changeStage: writing(page, leads.changeStage, {
        done: msg`Lead stage updated`,
        failed: MOVE_FAILED,
      }),
      sendFollowup: writing(page, sendFollowup, {
        done: (outcome) => (outcome.kind === "sent" ? msg`Follow-up sent!` : { failed: sendRefusal(outcome.reason) }),
        failed: SEND_FAILED,
      }),
      showAlert: alerting(page.notifier),
      askConfirmation: confirming(page.notifier),
    },
    actions: {
      storeNewer: assign((_, params: { lead: ReadLead; steps: StepsByStage }) => ({
        newer: params.lead,
        steps: params.steps,
      })),
      adoptNewer: assign(({ context: { newer, lead } }) => ({
        lead: newer ?? lead,
        newer: null,
        notes: notesOf(newer ?? lead),
        over: notesOf(newer ?? lead),
      })),
      storeNotes: assign((_, params: { notes: string }) => ({ notes: params.notes })),
      markNotesSent: assign(({ context }) => ({
        sentNotes: context.notes,
        isSaveQueued: false,
        notesProblem: NOT_SAVED,
      })),
      storeNotesProblem: assign((_, { error }: { error: unknown }) => ({
        notesProblem: isOutcomeUnknown(error)
          ? failureMessage(error, NOTE_UNANSWERED)
          : noteRefusal(failureOf(error).message),
      })),
      storeSavedNotes: assign(({ context: { lead, newer, notes, sentNotes } }, saved: string) => ({
        lead: { ...lead, notes: saved },
        newer: newer && { ...newer, notes: saved },
        ...(notes === sentNotes ? { notes: saved, over: saved } : { over: sentNotes }),
      })),
      queueSave: assign({ isSaveQueued: true }),
      keepDraft: (_, { leadId, draft }: { leadId: string; draft: { notes: string; over: string } }) =>
        drafts.keep(leadId, draft),
      forgetDraft: (_, { leadId, notes }: { leadId: string; notes: string }) => drafts.settle(leadId, notes),
      startPicking: assign(({ context }) => ({ pickedStageId: context.lead.stage_id })),
      storePick: assign((_, params: { stageId: string }) => ({ pickedStageId: params.stageId, stageProblem: null })),
      storeStageProblem: assign((_, { error }: { error: unknown }) => ({
        stageProblem: failureMessage(error, MOVE_FAILED),
      })),
      forgetStageProblem: assign({ stageProblem: null }),
      storeMove: assign(({ context: { lead, newer, pickedStageId, sentOf } }) => ({
        lead: movedLead(lead, pickedStageId),
        newer: newer && movedLead(newer, pickedStageId),
        // Once a stay has ended, its start will not be read any more.
        sentOf: sentOf && { ...sentOf, stage_entered_at: sentOf.stage_entered_at ?? "" },
      })),
      storeRefusal: assign((_, params: SendOutcome) => ({ refusal: params.kind === "refused" ? params.reason : null })),
      storeUnanswered: assign((_, { error }: { error: unknown }) => ({
        refusal: failureMessage(error, SEND_FAILED),
        isAnswered: failureOf(error).status !== null,
      })),
      forgetRefusal: assign({ refusal: null }),
      markSent: assign(({ context: { lead, sentOf } }) => ({ sentOf: withStayOf(sentOf, lead) })),
      countStep: assign(({ context: { lead, newer, sentOf } }) => ({
        lead: withStep(lead, sentOf),
        newer: newer && withStep(newer, sentOf),
      })),
      offerUndo: (_, move: { leadId: string; list: RowsList | null }) => announceMove(page, leads, move),
      /** Reloads the lead in the list: the version shown may be stale. */
      rereadLead: ({ context }) => context.list?.send({ type: "lead.changed", id: context.lead.id }),
      reloadList: ({ context }) => context.list?.send({ type: "list.reload" }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      hasNewer: ({ context }) => context.newer !== null,
      isUnedited: and([stateIn({ notes: "saved" }), stateIn({ stage: "shown" })]),
      canAdopt: and(["hasNewer", "isUnedited"]),
      hasUnsavedNotes: ({ context }) => context.notes !== notesOf(context.lead),
      hasQueuedNotes: ({ context }) => context.isSaveQueued && context.notes !== context.sentNotes,
      hasNewerNotes: ({ context }) => context.notes !== context.sentNotes,
      isSavedAfterAll: ({ context: { newer, notes } }) =>
        newer !== null && newer.isNoteInFlight !== true && notesOf(newer) === notes,
      isOtherStage: ({ context }, params: { stageId: string | null }) => params.stageId !== context.lead.stage_id,
      hasStepLeft: ({ context }) => hasStepLeft(context.lead, context.steps),
      isUnwelcome: ({ context }) =>
        hasStepLeft(context.lead, context.steps) && hasOptedOut(context.newer ?? context.lead),
      isConfirmed,
      isSent: (_, params: SendOutcome) => params.kind === "sent",
      // A skipped step also advances the lead, but does not change when it was last sent one.
      isSentAfterAll: ({ context: { lead, sentOf } }) =>
        sentOf !== null &&
        lead.stage_id === sentOf.stage_id &&
        lead.followup_order_sent > sentOf.followup_order_sent &&
        lead.last_followup_sent_at !== sentOf.last_followup_sent_at,
    },
  }).createMachine({
    id: "leadRow",
    context: ({ input }) => ({
      lead: input.lead,
      newer: null,
      steps: input.steps,
      list: input.list,
      notes: input.draft?.notes ?? notesOf(input.lead),
      over: input.draft?.over ?? notesOf(input.lead),
      sentNotes: notesOf(input.lead),
      isSaveQueued: false,
      pickedStageId: null,
      refusal: null,
      isAnswered: false,
      notesProblem: NOT_SAVED,
      stageProblem: null,
      sentOf: null,
    }),
    type: "parallel",
    // An update never overwrites an edit.
    on: { "lead.refreshed": { actions: withEvent("storeNewer") } },
    always: { guard: "canAdopt", actions: "adoptNewer" },
    states: {
      notes: {
        initial: "saved",
        states: {
          saved: {
            always: { guard: "hasUnsavedNotes", target: "unsaved" },
            on: {
              "notes.change": { target: "edited", actions: typed },
            },
          },
          edited: {
            on: {
              "notes.change": { actions: typed },
              "notes.leave": [
                { guard: "hasUnsavedNotes", target: "saving" },
                { target: "saved", actions: forgettingDraft },
              ],
            },
          },
          saving: {
            entry: "markNotesSent",
            on: {
              "notes.change": { actions: typed },
              "notes.leave": { actions: "queueSave" },
            },
            invoke: {
              id: "saveNotes",
              src: "saveNotes",
              input: ({ context: { lead, notes, over } }) => ({ leadId: lead.id, notes, over }),
              onDone: [
                { guard: "hasQueuedNotes", target: "saving", reenter: true, actions: withOutput("storeSavedNotes") },
                { guard: "hasNewerNotes", target: "edited", actions: withOutput("storeSavedNotes") },
                { target: "saved", actions: withOutput("storeSavedNotes") },
              ],
              onError: {
                target: "unsaved",
                actions: [withEvent("storeNotesProblem"), reportFailure("notes were not saved"), "rereadLead"],
              },
            },
          },
          unsaved: {
            // A call without a response may have succeeded.
            always: {
              guard: "isSavedAfterAll",
              target: "saved",
              actions: [{ type: "storeSavedNotes", params: ({ context }) => context.notes }, forgettingDraft],
            },
            on: {
              "notes.change": { target: "edited", actions: typed },
              "notes.leave": "saving",
              "notes.retry": "saving",
            },
          },
        },
      },
      stage: {
        initial: "shown",
        states: {
          shown: { entry: "forgetStageProblem", on: { "stage.edit": "choosing" } },
          choosing: {
            entry: "startPicking",
            on: {
              // Moving through stages by keyboard is not a choice.
              "stage.pick": { actions: withEvent("storePick") },
              "stage.commit": [
                {
                  guard: { type: "isOtherStage", params: ({ context }) => ({ stageId: context.pickedStageId }) },
                  target: "changing",
                },
                { target: "shown" },
              ],
              "stage.choose": [
                { guard: withEvent("isOtherStage"), target: "changing", actions: withEvent("storePick") },
                { target: "shown" },
              ],
              "stage.cancel": "shown",
            },
          },
          changing: {
            invoke: {
              id: "changeStage",
              src: "changeStage",
              input: ({ context }) => ({ leadId: context.lead.id, stageId: context.pickedStageId ?? "" }),
              onDone: {
                target: "shown",
                actions: [
                  "storeMove",
                  { type: "offerUndo", params: ({ context }) => ({ leadId: context.lead.id, list: context.list }) },
                  "reloadList",
                ],
              },
              onError: {
                target: "alerting",
                actions: [
                  withEvent("storeStageProblem"),
                  reportFailure("a lead's stage was not changed"),
                  "rereadLead",
                ],
              },
            },
          },
          alerting: alertState({ message: msg`Failed to update stage` }, "choosing"),
        },
      },
      followup: {
        initial: "unsent",
        states: {
          unsent: { on: { "followup.send": sending } },
          confirming: confirmState(
            { message: msg`This person asked for no more messages. Send this follow-up anyway?` },
            { yes: "sending", no: "unsent" },
          ),
          sending: {
            entry: ["forgetRefusal", "markSent"],
            invoke: {
              id: "sendFollowup",
              src: "sendFollowup",
              input: ({ context }) => ({ leadId: context.lead.id, step: stepShown(context.sentOf ?? context.lead) }),
              onDone: [
                { guard: withOutput("isSent"), target: "sent", actions: "countStep" },
                { target: "refused", actions: [withOutput("storeRefusal"), "rereadLead"] },
              ],
              onError: {
                target: "unanswered",
                actions: [withEvent("storeUnanswered"), reportFailure("a follow-up was not sent"), "rereadLead"],
              },
            },
          },
          sent: { on: { "followup.send": sending } },
          refused: { on: { "followup.send": sending } },
          unanswered: {
            always: { guard: "isSentAfterAll", target: "sent", actions: "forgetRefusal" },
            on: { "followup.send": sending },
          },
        },
      },
    },
  });

export type LeadRowRef = ActorRefFrom<typeof createLeadRow>;
type LeadRowSnapshot = SnapshotFrom<typeof createLeadRow>;
type LeadRowEvent = EventFrom<ReturnType<typeof createLeadRow>>;

/** What a row shows and which events it accepts. */
export type RowState = Pick<
  LeadRowContext,
  "lead" | "notes" | "pickedStageId" | "refusal" | "notesProblem" | "stageProblem"
> & {
  notesState: LeadRowSnapshot["value"]["notes"];
  stageState: LeadRowSnapshot["value"]["stage"];
  followupState: LeadRowSnapshot["value"]["followup"];
  canSend: boolean;
};

/** The state of an untouched row, which needs no chart. */
export const untouchedRow = (lead: Lead, steps: StepsByStage): RowState => ({
  lead,
  notes: notesOf(lead),
  notesState: "saved",
  stageState: "shown",
  pickedStageId: null,
  followupState: "unsent",
  refusal: null,
  notesProblem: "",
  stageProblem: null,
  canSend: hasStepLeft(lead, steps),
});

export const selectRow = (row: LeadRowSnapshot): RowState => ({
  ...row.context,
  notesState: row.value.notes,
  stageState: row.value.stage,
  // Any response other than 200 shows 'Failed to send.', whatever happened.
  followupState: row.value.followup === "unanswered" && row.context.isAnswered ? "refused" : row.value.followup,
  canSend: row.can({ type: "followup.send" }),
});

/** A row's state: from its chart once the user has touched it, otherwise from the lead. */
export function useLeadRow(row: LeadRowRef | undefined, lead: Lead, steps: StepsByStage): RowState {
  const snapshot = useSelector(row, (current) => current);
  return snapshot ? selectRow(snapshot) : untouchedRow(lead, steps);
}

/** Sends an event to a lead's row, and starts its chart if needed; without an event, only starts it. */
export type SendToRow = (event?: LeadRowEvent) => void;

export const useSendToRow = (
  leadId: string,
  row: LeadRowRef | undefined,
  touchRow: (leadId: string) => LeadRowRef,
): SendToRow =>
  useCallback(
    (event) => {
      // A row that left the list has saved its notes, and an untouched one has none.
      if (event?.type === "notes.leave" && row?.getSnapshot().status !== "active") return;
      const touched = row ?? touchRow(leadId);
      if (event) touched.send(event);
    },
    [leadId, row, touchRow],
  );
