import { type ActorRefFrom, type SnapshotFrom, assertEvent, assign, setup } from "xstate";
import { withEvent, withOutput } from "../kit/payload.ts";
import { messageOf, reportFailure, unreported } from "../kit/reporting.ts";
import { type Account, type SignUpOutcome, placeholderActors } from "./signup.actors.ts";

type Details = Account & { confirmation: string };

const CREATED = "✅ Account created! Check your email to confirm.";
const CONFIRM = "✅ Signup successful! Please check your email to confirm.";
const CONFIRM_FOR_PROFILE = `${CONFIRM} Your profile will be saved once confirmed.`;

/**
 * Makes an account and its profile, says so, and leads to the login screen.
 * The passwords pass from event to actor and never rest in context.
 */
export const signupMachine = setup({
  types: {
    context: {} as { name: string; email: string; userId: string; problem: string | null; news: string },
    events: {} as { type: "details.submit" } & Details,
    tags: {} as "busy",
  },
  actors: placeholderActors,
  actions: {
    storeDetails: assign((_, { name, email }: Details) => ({ name, email, problem: null })),
    storeProblem: assign((_, params: { message: string }) => ({ problem: params.message })),
    storeRefusal: assign((_, outcome: SignUpOutcome) =>
      outcome.kind === "refused" ? { problem: outcome.message } : {},
    ),
    storeUserId: assign((_, outcome: SignUpOutcome) =>
      outcome.kind === "signedUp" ? { userId: outcome.userId ?? "" } : {},
    ),
    storeNews: assign((_, params: { news: string }) => ({ news: params.news })),
    forgetDetails: assign({ name: "", email: "", userId: "", problem: null, news: "" }),
    openLogin: () => {},
    reportFailure: unreported,
  },
  guards: {
    hasTwoPasswords: (_, params: Details) => params.password !== params.confirmation,
    isRefused: (_, outcome: SignUpOutcome) => outcome.kind === "refused",
    hasNoUser: (_, outcome: SignUpOutcome) => outcome.kind === "signedUp" && outcome.userId === null,
  },
}).createMachine({
  id: "signup",
  context: { name: "", email: "", userId: "", problem: null, news: "" },
  initial: "awaitingDetails",
  states: {
    awaitingDetails: {
      on: {
        "details.submit": [
          {
            guard: withEvent("hasTwoPasswords"),
            actions: { type: "storeProblem", params: { message: "Passwords do not match" } },
          },
          { target: "signingUp", actions: withEvent("storeDetails") },
        ],
      },
    },
    signingUp: {
      tags: "busy",
      invoke: {
        id: "signUp",
        src: "signUp",
        input: ({ event }) => {
          assertEvent(event, "details.submit");
          return { name: event.name, email: event.email, password: event.password };
        },
        onDone: [
          { guard: withOutput("isRefused"), target: "awaitingDetails", actions: withOutput("storeRefusal") },
          {
            guard: withOutput("hasNoUser"),
            target: "announcing",
            actions: { type: "storeNews", params: { news: CONFIRM } },
          },
          { target: "savingProfile", actions: withOutput("storeUserId") },
        ],
        onError: {
          target: "awaitingDetails",
          actions: { type: "storeProblem", params: ({ event }) => ({ message: messageOf(event.error) }) },
        },
      },
    },
    savingProfile: {
      tags: "busy",
      invoke: {
        id: "insertProfile",
        src: "insertProfile",
        input: ({ context }) => ({ id: context.userId, email: context.email, name: context.name }),
        onDone: { target: "announcing", actions: { type: "storeNews", params: { news: CREATED } } },
        onError: {
          target: "announcing",
          actions: [
            { type: "storeNews", params: { news: CONFIRM_FOR_PROFILE } },
            reportFailure("the profile could not be saved"),
          ],
        },
      },
    },
    announcing: {
      tags: "busy",
      invoke: {
        id: "showAlert",
        src: "showAlert",
        input: ({ context }) => ({ message: context.news }),
        onDone: { target: "awaitingDetails", actions: ["forgetDetails", "openLogin"] },
        onError: { target: "awaitingDetails", actions: ["forgetDetails", "openLogin"] },
      },
    },
  },
});

export type SignupRef = ActorRefFrom<typeof signupMachine>;
export type SignupSnapshot = SnapshotFrom<typeof signupMachine>;
