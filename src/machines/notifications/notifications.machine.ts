import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import { createChart, withEvent } from "../kit/chart.ts";
import { TOAST_MS } from "../../../domain/limits.ts";
import type { UiTextOrString } from "../../../domain/ui-text.ts";

/** A dialog: an alert has only OK, a confirmation has OK and Cancel. */
export type Question = { id: number; kind: "alert" | "confirm"; message: UiTextOrString };

/** A toast with an undo button, labelled by `label`. */
export type Offer = {
  id: number;
  message: UiTextOrString;
  /** The success that the toast shows first, in place of `message`. */
  headline: UiTextOrString | null;
  label: UiTextOrString;
  durationMs: number;
  /** How long the server accepts the undo; the offer then ends even if the pointer or focus holds it. */
  lifeMs: number;
};

/** How long a warning is shown. */
const WARNING_MS = 10_000;

type NotificationsParts = {
  /** Passes the answer to the caller, by the question's id. */
  deliverAnswer: (id: number, isConfirmed: boolean) => void;
  /** Runs the undo of an offer, by its id. */
  takeOffer: (id: number) => void;
};

type Shown = { toast: UiTextOrString | null; offer: Offer | null };

/** Whether the visible toast is the offer's headline. */
const isHeadlineShown = ({ toast, offer }: Shown): boolean => toast !== null && toast === offer?.headline;

/**
 * Toasts, undo offers, warnings and questions over any screen. A newer toast, offer or warning replaces the older one of its kind. An
 * offer stays while the pointer or the focus is on it, and shares its toast with its headline. Questions queue until they are answered or
 * withdrawn. `deliverAnswer` passes the answer to the caller; context holds no promise and no callback.
 */
export const createNotifications = ({ deliverAnswer, takeOffer }: NotificationsParts) =>
  setup({
    types: {
      context: {} as {
        toast: UiTextOrString | null;
        offer: Offer | null;
        warning: UiTextOrString | null;
        questions: readonly Question[];
      },
      events: {} as
        | { type: "toast.show"; message: UiTextOrString }
        | { type: "toast.dismiss" }
        | { type: "offer.show"; offer: Offer }
        | { type: "offer.hold" }
        | { type: "offer.release" }
        | { type: "offer.accept" }
        | { type: "offer.dismiss" }
        | { type: "warning.show"; message: UiTextOrString }
        | { type: "warning.dismiss" }
        | { type: "question.ask"; question: Question }
        | { type: "question.answer"; isConfirmed: boolean }
        | { type: "question.withdraw"; id: number },
    },
    actions: {
      storeToast: assign((_, params: { message: UiTextOrString }) => ({ toast: params.message })),
      storeHeadline: assign((_, params: { offer: Offer }) => ({ toast: params.offer.headline })),
      forgetToast: assign({ toast: null }),
      storeOffer: assign((_, params: { offer: Offer }) => ({ offer: params.offer })),
      forgetOffer: assign({ offer: null }),
      storeWarning: assign((_, params: { message: UiTextOrString }) => ({ warning: params.message })),
      forgetWarning: assign({ warning: null }),
      enqueueQuestion: assign(({ context }, params: { question: Question }) => ({
        questions: [...context.questions, params.question],
      })),
      dequeueQuestion: assign(({ context }) => ({ questions: context.questions.slice(1) })),
      dropQuestion: assign(({ context }, params: { id: number }) => ({
        questions: context.questions.filter(({ id }) => id !== params.id),
      })),
      deliverAnswer: (_args, { id, isConfirmed }: { id: number | undefined; isConfirmed: boolean }) => {
        if (id !== undefined) deliverAnswer(id, isConfirmed);
      },
      takeOffer: (_args, { id }: { id: number | undefined }) => {
        if (id !== undefined) takeOffer(id);
      },
    },
    guards: {
      hasHeadline: (_, { offer }: { offer: Offer }) => offer.headline !== null,
      isHeadline: ({ context }) => isHeadlineShown(context),
      isPlainToast: ({ context }) => !isHeadlineShown(context),
      hasQuestion: ({ context }) => context.questions.length > 0,
      /** An alert can be confirmed, but not declined. */
      isPossibleAnswer: ({ context }, { isConfirmed }: { isConfirmed: boolean }) =>
        isConfirmed || context.questions[0]?.kind === "confirm",
      hasNoQuestion: ({ context }) => context.questions.length === 0,
    },
    delays: {
      toastDuration: TOAST_MS,
      warningDuration: WARNING_MS,
      offerDuration: ({ context }) => context.offer?.durationMs ?? 0,
      offerLife: ({ context }) => context.offer?.lifeMs ?? 0,
    },
  }).createMachine({
    id: "notifications",
    context: { toast: null, offer: null, warning: null, questions: [] },
    type: "parallel",
    states: {
      toast: {
        initial: "hidden",
        on: {
          "toast.show": { target: ".visible", actions: withEvent("storeToast") },
          "offer.show": { guard: withEvent("hasHeadline"), target: ".visible", actions: withEvent("storeHeadline") },
        },
        states: {
          hidden: { entry: "forgetToast" },
          visible: {
            on: {
              "toast.dismiss": { guard: "isPlainToast", target: "hidden" },
              "offer.accept": { guard: "isHeadline", target: "hidden" },
              "offer.dismiss": { guard: "isHeadline", target: "hidden" },
            },
            initial: "running",
            states: {
              running: {
                on: { "offer.hold": { guard: "isHeadline", target: "held" } },
                after: { toastDuration: "#notifications.toast.hidden" },
              },
              held: {
                always: { guard: "isPlainToast", target: "running" },
                on: { "offer.release": "running" },
              },
            },
          },
        },
      },
      offer: {
        initial: "hidden",
        on: { "offer.show": { target: ".open", actions: withEvent("storeOffer") } },
        states: {
          hidden: { entry: "forgetOffer" },
          open: {
            on: {
              "offer.dismiss": "hidden",
              "offer.accept": {
                target: "hidden",
                actions: { type: "takeOffer", params: ({ context }) => ({ id: context.offer?.id }) },
              },
            },
            after: { offerLife: "hidden" },
            initial: "running",
            states: {
              running: { on: { "offer.hold": "held" }, after: { offerDuration: "#notifications.offer.hidden" } },
              held: { on: { "offer.release": "running" } },
            },
          },
        },
      },
      warning: {
        initial: "hidden",
        on: { "warning.show": { target: ".visible", actions: withEvent("storeWarning") } },
        states: {
          hidden: { entry: "forgetWarning" },
          visible: { on: { "warning.dismiss": "hidden" }, after: { warningDuration: "hidden" } },
        },
      },
      question: {
        initial: "absent",
        on: {
          "question.ask": { actions: withEvent("enqueueQuestion") },
          "question.withdraw": { actions: withEvent("dropQuestion") },
        },
        states: {
          absent: { always: { guard: "hasQuestion", target: "awaitingAnswer" } },
          awaitingAnswer: {
            always: { guard: "hasNoQuestion", target: "absent" },
            on: {
              "question.answer": {
                guard: withEvent("isPossibleAnswer"),
                target: "absent",
                actions: [
                  {
                    type: "deliverAnswer",
                    params: ({ context, event }) => ({
                      id: context.questions[0]?.id,
                      isConfirmed: event.isConfirmed,
                    }),
                  },
                  "dequeueQuestion",
                ],
              },
            },
          },
        },
      },
    },
  });

export const Notifications = createChart<typeof createNotifications>("notifications");
export type NotificationsRef = ActorRefFrom<typeof createNotifications>;
export type NotificationsSnapshot = SnapshotFrom<typeof createNotifications>;

/** Whether the headline's toast carries the offer's undo. */
export const selectIsHeadlineShown = (snapshot: NotificationsSnapshot): boolean => isHeadlineShown(snapshot.context);

/** The message of the offer's own toast; null if there is none. */
export const selectOfferMessage = ({ context }: NotificationsSnapshot): UiTextOrString | null =>
  isHeadlineShown(context) ? null : (context.offer?.message ?? null);

export const selectQuestion = (snapshot: NotificationsSnapshot): Question | null =>
  snapshot.context.questions[0] ?? null;

/** Whether a message or a question is shown. */
export const selectIsSpeaking = ({ context: { toast, offer, warning, questions } }: NotificationsSnapshot): boolean =>
  toast !== null || offer !== null || warning !== null || questions.length > 0;
