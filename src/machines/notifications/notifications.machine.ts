import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import { TOAST_MS } from "../../../domain/limits.ts";

/** A message a person must answer: an alert has OK alone, a confirmation OK and Cancel. */
export type Question = { id: number; kind: "alert" | "confirm"; message: string };

/**
 * What the app says over any screen. One toast at a time, a newer one replaces it; questions wait in line.
 * Whoever asked is told through `deliverAnswer`; no promise rests in context.
 */
export const notificationsMachine = setup({
  types: {
    context: {} as { toast: string | null; questions: Question[] },
    events: {} as
      | { type: "toast.show"; message: string }
      | { type: "toast.dismiss" }
      | { type: "question.ask"; question: Question }
      | { type: "question.answer"; isConfirmed: boolean },
  },
  actions: {
    storeToast: assign((_, params: { message: string }) => ({ toast: params.message })),
    forgetToast: assign({ toast: null }),
    enqueueQuestion: assign(({ context }, params: { question: Question }) => ({
      questions: [...context.questions, params.question],
    })),
    dequeueQuestion: assign(({ context }) => ({ questions: context.questions.slice(1) })),
    deliverAnswer: (_args, _params: { id: number | undefined; isConfirmed: boolean }) => {},
  },
  guards: { hasQuestion: ({ context }) => context.questions.length > 0 },
  delays: { toastDuration: TOAST_MS },
}).createMachine({
  id: "notifications",
  context: { toast: null, questions: [] },
  type: "parallel",
  states: {
    toast: {
      initial: "hidden",
      on: { "toast.show": { target: ".visible", actions: { type: "storeToast", params: ({ event }) => event } } },
      states: {
        hidden: { entry: "forgetToast" },
        visible: { on: { "toast.dismiss": "hidden" }, after: { toastDuration: "hidden" } },
      },
    },
    question: {
      initial: "absent",
      on: { "question.ask": { actions: { type: "enqueueQuestion", params: ({ event }) => event } } },
      states: {
        absent: { always: { guard: "hasQuestion", target: "awaitingAnswer" } },
        awaitingAnswer: {
          on: {
            "question.answer": {
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

export type NotificationsRef = ActorRefFrom<typeof notificationsMachine>;
export type NotificationsSnapshot = SnapshotFrom<typeof notificationsMachine>;
