import { msg } from "@lingui/core/runtime-macro";
import {
  type ActorRefFrom,
  type AnyEventObject,
  type SnapshotFrom,
  assign,
  fromCallback,
  fromPromise,
  raise,
  setup,
  waitFor,
} from "xstate";
import { accessExpiry, isSubscribed } from "../../../domain/access.ts";
import type { Subscription } from "../../../domain/subscription.ts";
import type { Auth, AuthEvent, OpenSession } from "../../services/auth.ts";
import type { DataGateway } from "../../services/data.ts";
import type { AuthUser } from "../../services/session-store.ts";
import type { SafeStorage } from "../../services/storage.ts";
import { createChart, withEvent } from "../kit/chart.ts";
import type { ReadingEvent, ReadingTag } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { loadRegion, watchingReturns } from "../kit/refreshing.ts";

/** All services are passed in: this chart is in the entry chunk and must not load their code. */
export type SessionParts = {
  auth: Pick<Auth, "signOut" | "keepFresh" | "subscribe">;
  fetchSubscription: DataGateway["fetchSubscription"];
  tokens: Pick<SafeStorage, "set" | "remove">;
  now: () => number;
};

/** A subscription and the time at which it was read, in milliseconds. */
type DatedSubscription = { subscription: Subscription | null; at: number };

/** The localStorage key of the access token, beside the sign-in client's own session. */
const TOKEN_KEY = "sb_token";

type SessionContext = {
  user: AuthUser | null;
  subscription: Subscription | null;
  /** Whether the subscription was read: until then nothing is shown about it. */
  isChecked: boolean;
  /** The time at which access is decided: when the subscription was read, updated as time passes. */
  judgedAt: number;
  /** The user opened a password link and has not set a new password yet. */
  isRecovering: boolean;
};

const DAY_MS = 86_400_000;

/** How long the access decision is valid: until the expiry, but at most a timer's maximum. */
function accessSpanOf({ subscription, judgedAt }: SessionContext): number {
  const expiry = subscription === null ? null : accessExpiry(subscription);
  return expiry === null ? DAY_MS : Math.min(Math.max(expiry - judgedAt, 0), DAY_MS);
}

const storeUser = withEvent("storeUser");
const storeToken = withEvent("storeToken");
/** The previous user's subscription and recovery do not apply to the next one. */
const asAnotherUser = {
  guard: withEvent("isAnotherUser"),
  target: "signedIn",
  reenter: true,
  actions: ["forgetSubscription", "endRecovery", storeUser, storeToken],
} as const;

const subscriptionReading = loadRegion({
  src: "fetchSubscription",
  store: "storeSubscription",
  what: msg`your subscription`,
  input: ({ context }: { context: SessionContext }) => ({ userId: context.user?.id ?? "" }),
});

/**
 * Who is signed in, and whether a subscription gives access. `access` follows the facts in context; `subscription` loads them. While the
 * lookup is slow or has failed, access is unknown; a slow lookup continues behind the message about it. The access token passes through
 * to storage and is never stored in context.
 */
export const createSession = (
  page: Pick<Page, "events" | "logger">,
  { auth, fetchSubscription, tokens, now }: SessionParts,
) =>
  setup({
    types: {
      context: {} as SessionContext,
      events: {} as AuthEvent | { type: "session.end" } | ReadingEvent | { type: "tab.shown"; at: number },
      tags: {} as "checking" | ReadingTag,
    },
    actors: {
      watchSession: fromCallback<AnyEventObject>(({ sendBack }) => auth.subscribe(sendBack)),
      watchTab: fromCallback<AnyEventObject>(({ sendBack }) => {
        const notify = () => {
          if (document.visibilityState === "visible") sendBack({ type: "tab.shown", at: now() });
        };
        window.addEventListener("focus", notify);
        document.addEventListener("visibilitychange", notify);
        return () => {
          window.removeEventListener("focus", notify);
          document.removeEventListener("visibilitychange", notify);
        };
      }),
      watchSubscription: watchingReturns((listener) => page.events.subscribe("subscription.changed", listener)),
      fetchSubscription: fromPromise<DatedSubscription, { userId: string }>(async ({ input, signal }) => ({
        subscription: await fetchSubscription(input.userId, signal),
        at: now(),
      })),
      signOut: fromPromise<void, void>(() => auth.signOut()),
    },
    actions: {
      storeUser: assign((_, params: { session: OpenSession }) => ({ user: params.session.user })),
      storeSubscription: assign((_, params: DatedSubscription) => ({
        subscription: params.subscription,
        judgedAt: params.at,
        isChecked: true,
      })),
      moveJudgement: assign((_, params: { at: number }) => ({ judgedAt: params.at })),
      passAccessSpan: assign(({ context }) => ({ judgedAt: context.judgedAt + accessSpanOf(context) })),
      startRecovery: assign({ isRecovering: true }),
      endRecovery: assign({ isRecovering: false }),
      forgetSubscription: assign({ subscription: null, isChecked: false, judgedAt: 0 }),
      refresh: raise({ type: "reading.refresh" }),
      forgetUser: assign({ user: null, isRecovering: false }),
      storeToken: (_args, { session }: { session: OpenSession }) => tokens.set(TOKEN_KEY, session.accessToken),
      removeToken: () => tokens.remove(TOKEN_KEY),
      keepFresh: () => auth.keepFresh(),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isAnotherUser: ({ context }, params: { session: OpenSession }) => params.session.user.id !== context.user?.id,
      hasChangedUser: ({ context }, params: { session: OpenSession }) =>
        params.session.user.email !== context.user?.email,
      isChecked: ({ context }) => context.isChecked,
      hasAccess: ({ context }) => context.isChecked && isSubscribed(context.subscription, context.judgedAt),
      hasNoAccess: ({ context }) => !isSubscribed(context.subscription, context.judgedAt),
    },
    delays: {
      checkLimit: 5_000,
      accessSpan: ({ context }) => accessSpanOf(context),
    },
  }).createMachine({
    id: "session",
    context: { user: null, subscription: null, isChecked: false, judgedAt: 0, isRecovering: false },
    initial: "checking",
    invoke: [
      { id: "watchSession", src: "watchSession" },
      { id: "watchTab", src: "watchTab" },
    ],
    states: {
      checking: {
        tags: "checking",
        on: {
          "session.started": { target: "signedIn", actions: [storeUser, storeToken] },
          "recovery.started": { target: "signedIn", actions: [storeUser, storeToken, "startRecovery"] },
          "session.ended": "signedOut",
        },
        after: { checkLimit: "signedOut" },
      },
      signedOut: {
        entry: ["forgetUser", "forgetSubscription", "removeToken"],
        on: {
          "session.started": { target: "signedIn", actions: [storeUser, storeToken] },
          // A session that survived an outage at the start returns with its refreshed token.
          "token.refreshed": { target: "signedIn", actions: [storeUser, storeToken] },
          "recovery.started": { target: "signedIn", actions: [storeUser, storeToken, "startRecovery"] },
        },
      },
      signedIn: {
        type: "parallel",
        invoke: { id: "watchSubscription", src: "watchSubscription" },
        on: {
          "session.end": "signingOut",
          "session.ended": "signedOut",
          "session.started": [
            asAnotherUser,
            { guard: withEvent("hasChangedUser"), actions: [storeUser, storeToken, "refresh"] },
            { actions: storeToken },
          ],
          "recovery.started": [
            { ...asAnotherUser, actions: [...asAnotherUser.actions, "startRecovery"] },
            { actions: [storeUser, storeToken, "startRecovery"] },
          ],
          "user.updated": [asAnotherUser, { actions: [storeUser, storeToken, "endRecovery", "refresh"] }],
          "token.refreshed": [asAnotherUser, { actions: storeToken }],
          "tab.shown": { actions: [withEvent("moveJudgement"), "keepFresh"] },
        },
        states: {
          access: {
            initial: "unknown",
            states: {
              unknown: {
                tags: "checking",
                always: [
                  { guard: "hasAccess", target: "subscribed" },
                  { guard: "isChecked", target: "unsubscribed" },
                ],
              },
              subscribed: {
                always: { guard: "hasNoAccess", target: "unsubscribed" },
                after: { accessSpan: { target: "subscribed", reenter: true, actions: "passAccessSpan" } },
              },
              unsubscribed: {
                always: { guard: "hasAccess", target: "subscribed" },
              },
            },
          },
          subscription: {
            ...subscriptionReading,
            states: {
              ...subscriptionReading.states,
              loading: {
                ...subscriptionReading.states.loading,
                initial: "waiting",
                states: {
                  waiting: { after: { checkLimit: "late" } },
                  late: {
                    tags: "loadFailed",
                    on: { "reading.retry": { target: "#session.signedIn.subscription.loading", reenter: true } },
                  },
                },
              },
            },
          },
        },
      },
      // Facts that arrive now belong to the session that is ending.
      signingOut: {
        invoke: {
          id: "signOut",
          src: "signOut",
          onDone: "signedOut",
          onError: { target: "signedOut", actions: reportFailure("the sign-out failed") },
        },
        on: { "session.ended": "signedOut" },
      },
    },
  });

export const Session = createChart<typeof createSession>("session");
export type SessionRef = ActorRefFrom<typeof createSession>;
export type SessionSnapshot = SnapshotFrom<typeof createSession>;

export type Access = "checking" | "unchecked" | "signedOut" | "unsubscribed" | "subscribed";

/**
 * The access that decides routes; `unchecked` if the subscription could not be read. A user who is signing out counts as signed out at
 * once.
 */
export function selectAccess(session: SessionSnapshot): Access {
  if (session.hasTag("checking")) return session.hasTag("loadFailed") ? "unchecked" : "checking";
  if (session.matches({ signedIn: { access: "subscribed" } })) return "subscribed";
  return session.matches("signedIn") ? "unsubscribed" : "signedOut";
}

/** The account's email address; null if signed out. */
export const selectEmail = (session: SessionSnapshot): string | null => session.context.user?.email ?? null;
export const selectUserId = (session: SessionSnapshot): string | undefined => session.context.user?.id;
/** When access ends unless a failed payment is made; null if no payment failed or the plan is cancelled. */
export function selectPaymentEnd(session: SessionSnapshot): string | null {
  const { subscription } = session.context;
  if (selectAccess(session) !== "subscribed" || subscription?.provider_status !== "past_due") return null;
  const isCancelled = subscription.cancel_at_period_end || subscription.cancel_at !== null;
  return isCancelled ? null : subscription.expires_at;
}

export const selectIsFetching = (session: SessionSnapshot): boolean =>
  session.hasTag("loading") || session.hasTag("refreshing");

/** Refreshes the subscription; settles when it has loaded or failed, or after 5 seconds. */
export async function refreshSubscription(session: SessionRef): Promise<void> {
  session.send({ type: "reading.refresh" });
  await waitFor(session, (snapshot) => !selectIsFetching(snapshot), { timeout: 5_000 }).catch(() => {});
}
