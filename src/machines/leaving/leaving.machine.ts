import { msg } from "@lingui/core/runtime-macro";
import { type ActorRefFrom, assign, emit, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { withEvent, withOutput } from "../kit/chart.ts";
import { confirming, isConfirmed } from "../kit/confirming.ts";
import type { Notifier } from "../kit/page.ts";

/** The user's destination: an address, a number of history entries, or a logout. */
export type Departure = { kind: "address"; to: string } | { kind: "history"; steps: number } | { kind: "logOut" };

type LeavingParts = {
  /** Navigates without a confirmation. */
  depart: (departure: Departure) => void;
};

const UNSAVED = msg`You have unsaved changes. Leave without saving them?`;
const UNSENT = msg`Replies are waiting to be sent. Log out without sending them?`;
const UNSAVED_AND_UNSENT = msg`You have unsaved changes, and replies are waiting to be sent. Log out without them?`;

/**
 * Asks for confirmation before navigation discards unsaved changes, and before a logout discards replies that wait to be sent. Navigation
 * keeps those replies.
 */
export const createLeaving = (page: { notifier: Pick<Notifier, "confirm"> }, { depart }: LeavingParts) =>
  setup({
    types: {
      context: {} as { departure: Departure | null; areRepliesWaiting: boolean; question: UiTextOrString | null },
      events: {} as
        /** `question` if leaving loses something other than changes */
        | { type: "work.unsaved"; question?: UiTextOrString }
        | { type: "work.saved" }
        | { type: "replies.queued" }
        | { type: "replies.handedOver" }
        | { type: "screen.leave"; departure: Departure },
      emitted: {} as { type: "work.discarded" },
    },
    actors: {
      askConfirmation: confirming(page.notifier),
      askLogOut: confirming(page.notifier),
    },
    actions: {
      storeDeparture: assign((_, params: { departure: Departure }) => ({ departure: params.departure })),
      storeQuestion: assign((_, params: { question?: UiTextOrString }) => ({ question: params.question ?? null })),
      noteWaiting: assign({ areRepliesWaiting: true }),
      noteHandedOver: assign({ areRepliesWaiting: false }),
      /** The user chose to leave and discard it. */
      emitDiscarded: emit({ type: "work.discarded" }),
      depart: (_args, { departure }: { departure: Departure | null }) => {
        if (departure) depart(departure);
      },
    },
    guards: {
      isConfirmed,
      losesReplies: ({ context }, { departure }: { departure: Departure }) =>
        departure.kind === "logOut" && context.areRepliesWaiting,
    },
  }).createMachine({
    id: "leaving",
    context: { departure: null, areRepliesWaiting: false, question: null },
    initial: "free",
    on: { "replies.queued": { actions: "noteWaiting" }, "replies.handedOver": { actions: "noteHandedOver" } },
    states: {
      free: {
        on: {
          "work.unsaved": { target: "guarding", actions: withEvent("storeQuestion") },
          "screen.leave": [
            { guard: withEvent("losesReplies"), target: "awaitingLogOut", actions: withEvent("storeDeparture") },
            { actions: withEvent("depart") },
          ],
        },
      },
      awaitingLogOut: {
        on: {
          "work.unsaved": { target: "guarding", actions: withEvent("storeQuestion") },
        },
        invoke: {
          id: "askLogOut",
          src: "askLogOut",
          input: { message: UNSENT },
          onDone: [
            {
              guard: withOutput("isConfirmed"),
              target: "free",
              actions: { type: "depart", params: ({ context }) => ({ departure: context.departure }) },
            },
            { target: "free" },
          ],
          onError: "free",
        },
      },
      guarding: {
        on: {
          "work.saved": "free",
          "screen.leave": { target: "awaitingAnswer", actions: withEvent("storeDeparture") },
        },
      },
      awaitingAnswer: {
        on: { "work.saved": "free" },
        invoke: {
          id: "askConfirmation",
          src: "askConfirmation",
          input: ({ context: { departure, areRepliesWaiting, question } }) => ({
            message: departure?.kind === "logOut" && areRepliesWaiting ? UNSAVED_AND_UNSENT : (question ?? UNSAVED),
          }),
          onDone: [
            {
              guard: withOutput("isConfirmed"),
              target: "free",
              actions: [
                "emitDiscarded",
                { type: "depart", params: ({ context }) => ({ departure: context.departure }) },
              ],
            },
            { target: "guarding" },
          ],
          onError: "guarding",
        },
      },
    },
  });

export type LeavingRef = ActorRefFrom<typeof createLeaving>;

/** Whether leaving would lose something on the screen. */
export const isGuarding = (leaving: LeavingRef): boolean => !leaving.getSnapshot().matches("free");
