import { msg } from "@lingui/core/runtime-macro";
import { assertEvent, assign, fromPromise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Auth } from "../../services/auth.ts";
import type { DataGateway } from "../../services/data.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { alerting } from "../kit/confirming.ts";
import { type Page, createReporter, messageOf, reportFailure } from "../kit/page.ts";

type SignUp = Auth["signUp"];
type Account = Parameters<SignUp>[0];
type SignUpOutcome = Awaited<ReturnType<SignUp>>;
type Profile = Parameters<DataGateway["insertProfile"]>[0];
type Details = Account & { confirmation: string };

type SignupParts = { signUp: SignUp; insertProfile: DataGateway["insertProfile"]; openLogin: () => void };

const CREATED = msg`✅ Account created! Check your email to confirm.`;
const CONFIRM = msg`✅ Signup successful! Please check your email to confirm.`;
const CONFIRM_FOR_PROFILE = msg`✅ Signup successful! Please check your email to confirm. Your profile will be saved once confirmed.`;

/** Creates an account and its profile, then opens the login screen. Passwords pass from event to actor and are never stored in context. */
export const createSignup = (
  page: Pick<Page, "notifier" | "logger">,
  { signUp, insertProfile, openLogin }: SignupParts,
) =>
  setup({
    types: {
      context: {} as {
        name: string;
        email: string;
        userId: string;
        problem: UiTextOrString | null;
        news: UiTextOrString;
      },
      events: {} as { type: "details.submit" } & Details,
      tags: {} as "busy",
    },
    actors: {
      signUp: fromPromise<SignUpOutcome, Account>(({ input }) => signUp(input)),
      insertProfile: fromPromise<void, Profile>(({ input }) => insertProfile(input)),
      showAlert: alerting(page.notifier),
    },
    actions: {
      storeDetails: assign((_, { name, email }: Details) => ({ name, email, problem: null })),
      storeProblem: assign((_, params: { message: UiTextOrString }) => ({ problem: params.message })),
      storeRefusal: assign((_, outcome: SignUpOutcome) =>
        outcome.kind === "refused" ? { problem: outcome.message } : {},
      ),
      storeUserId: assign((_, outcome: SignUpOutcome) =>
        outcome.kind === "signedUp" ? { userId: outcome.userId ?? "" } : {},
      ),
      storeNews: assign((_, params: { news: UiTextOrString }) => ({ news: params.news })),
      forgetDetails: assign({ name: "", email: "", userId: "", problem: null, news: "" }),
      openLogin: () => openLogin(),
      reportFailure: createReporter(page.logger),
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
              actions: { type: "storeProblem", params: { message: msg`Passwords do not match` } },
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

export const Signup = createChart<typeof createSignup>("signup");
