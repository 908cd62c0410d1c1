import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import type { Lead } from "../../../domain/lead.ts";
import { type SendOutcome, placeholderActors } from "./lead-row.actors.ts";

type LeadRowContext = {
  lead: Lead;
  /** The notes as typed; `lead.notes` are the notes as saved. */
  notes: string;
  /** The notes in the call under way; what is typed meanwhile is compared with them when it ends. */
  sentNotes: string;
  /** The field was left again while a save was under way. */
  isSaveQueued: boolean;
  chosenStageId: string | null;
  refusal: string | null;
};

const notesOf = (lead: Lead) => lead.notes ?? "";

const ignore = () => {};
const unreported: (_: unknown, params: { what: string; error: unknown }) => void = () => {};

/** One row of the leads list: its notes, its stage and its hand-sent follow-up, each on its own. */
export const leadRowMachine = setup({
  types: {
    input: {} as { lead: Lead },
    context: {} as LeadRowContext,
    events: {} as
      | { type: "lead.refreshed"; lead: Lead }
      | { type: "notes.change"; notes: string }
      | { type: "notes.leave" }
      | { type: "notes.retry" }
      | { type: "stage.edit" }
      | { type: "stage.choose"; stageId: string }
      | { type: "stage.cancel" }
      | { type: "followup.send" },
  },
  actors: placeholderActors,
  actions: {
    storeLead: assign((_, params: { lead: Lead }) => ({ lead: params.lead })),
    storeLeadAndNotes: assign((_, params: { lead: Lead }) => ({ lead: params.lead, notes: notesOf(params.lead) })),
    storeNotes: assign((_, params: { notes: string }) => ({ notes: params.notes })),
    markNotesSent: assign(({ context }) => ({ sentNotes: context.notes, isSaveQueued: false })),
    storeSavedNotes: assign(({ context }) => ({ lead: { ...context.lead, notes: context.sentNotes } })),
    queueSave: assign({ isSaveQueued: true }),
    storeChoice: assign((_, params: { stageId: string }) => ({ chosenStageId: params.stageId })),
    // The move resets the lead's follow-ups and its last word, as the call just told the server.
    storeMove: assign(({ context }) => ({
      lead: {
        ...context.lead,
        stage_id: context.chosenStageId,
        followup_order_sent: 0,
        last_followup_sent_at: null,
        last_user_message_at: null,
      },
    })),
    storeRefusal: assign((_, params: SendOutcome) => ({ refusal: params.kind === "refused" ? params.reason : null })),
    forgetRefusal: assign({ refusal: null }),
    countStep: assign(({ context }) => ({
      lead: { ...context.lead, followup_order_sent: context.lead.followup_order_sent + 1 },
    })),
    announceMove: ignore,
    reloadList: ignore,
    reportFailure: unreported,
  },
  guards: {
    hasUnsavedNotes: ({ context }) => context.notes !== notesOf(context.lead),
    hasQueuedNotes: ({ context }) => context.isSaveQueued && context.notes !== context.sentNotes,
    hasNewerNotes: ({ context }) => context.notes !== context.sentNotes,
    isOtherStage: ({ context }, params: { stageId: string }) => params.stageId !== context.lead.stage_id,
    isSent: (_, params: SendOutcome) => params.kind === "sent",
  },
}).createMachine({
  id: "leadRow",
  context: ({ input }) => ({
    lead: input.lead,
    notes: notesOf(input.lead),
    sentNotes: notesOf(input.lead),
    isSaveQueued: false,
    chosenStageId: null,
    refusal: null,
  }),
  type: "parallel",
  states: {
    notes: {
      initial: "saved",
      states: {
        saved: {
          on: {
            "lead.refreshed": { actions: { type: "storeLeadAndNotes", params: ({ event }) => event } },
            "notes.change": { target: "edited", actions: { type: "storeNotes", params: ({ event }) => event } },
          },
        },
        edited: {
          on: {
            "lead.refreshed": { actions: { type: "storeLead", params: ({ event }) => event } },
            "notes.change": { actions: { type: "storeNotes", params: ({ event }) => event } },
            "notes.leave": [{ guard: "hasUnsavedNotes", target: "saving" }, { target: "saved" }],
          },
        },
        saving: {
          entry: "markNotesSent",
          on: {
            "lead.refreshed": { actions: { type: "storeLead", params: ({ event }) => event } },
            "notes.change": { actions: { type: "storeNotes", params: ({ event }) => event } },
            "notes.leave": { actions: "queueSave" },
          },
          invoke: {
            id: "saveNotes",
            src: "saveNotes",
            input: ({ context }) => ({ leadId: context.lead.id, notes: context.notes }),
            onDone: [
              { guard: "hasQueuedNotes", target: "saving", reenter: true, actions: "storeSavedNotes" },
              { guard: "hasNewerNotes", target: "edited", actions: "storeSavedNotes" },
              { target: "saved", actions: "storeSavedNotes" },
            ],
            onError: {
              target: "unsaved",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "notes were not saved", error: event.error }),
              },
            },
          },
        },
        unsaved: {
          on: {
            "lead.refreshed": { actions: { type: "storeLead", params: ({ event }) => event } },
            "notes.change": { target: "edited", actions: { type: "storeNotes", params: ({ event }) => event } },
            "notes.leave": "saving",
            "notes.retry": "saving",
          },
        },
      },
    },
    stage: {
      initial: "shown",
      states: {
        shown: { on: { "stage.edit": "choosing" } },
        choosing: {
          on: {
            "stage.choose": [
              {
                guard: { type: "isOtherStage", params: ({ event }) => event },
                target: "changing",
                actions: { type: "storeChoice", params: ({ event }) => event },
              },
              { target: "shown" },
            ],
            "stage.cancel": "shown",
          },
        },
        changing: {
          invoke: {
            id: "changeStage",
            src: "changeStage",
            input: ({ context }) => ({ leadId: context.lead.id, stageId: context.chosenStageId ?? "" }),
            onDone: { target: "shown", actions: ["storeMove", "announceMove", "reloadList"] },
            onError: {
              target: "alerting",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "a lead's stage was not changed", error: event.error }),
              },
            },
          },
        },
        alerting: {
          invoke: {
            id: "showAlert",
            src: "showAlert",
            input: { message: "Failed to update stage" },
            onDone: "choosing",
            onError: "choosing",
          },
        },
      },
    },
    followup: {
      initial: "unsent",
      states: {
        unsent: { on: { "followup.send": "sending" } },
        sending: {
          entry: "forgetRefusal",
          invoke: {
            id: "sendFollowup",
            src: "sendFollowup",
            input: ({ context }) => ({ leadId: context.lead.id }),
            onDone: [
              {
                guard: { type: "isSent", params: ({ event }) => event.output },
                target: "sent",
                actions: "countStep",
              },
              { target: "refused", actions: { type: "storeRefusal", params: ({ event }) => event.output } },
            ],
            onError: {
              target: "unanswered",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "a follow-up was not sent", error: event.error }),
              },
            },
          },
        },
        sent: { on: { "followup.send": "sending" } },
        refused: { on: { "followup.send": "sending" } },
        unanswered: { on: { "followup.send": "sending" } },
      },
    },
  },
});

export type LeadRowRef = ActorRefFrom<typeof leadRowMachine>;
export type LeadRowSnapshot = SnapshotFrom<typeof leadRowMachine>;
