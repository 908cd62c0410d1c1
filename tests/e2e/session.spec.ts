import type { Page } from "@playwright/test";
import type { AnyEventObject, AnyMachineSnapshot } from "xstate";
import { sessionMachine } from "../../src/machines/session/session.machine.ts";
import { selectAccess } from "../../src/machines/session/session.selectors.ts";
import { edgesLeftOut } from "../support/covering-paths.ts";
import { edgePaths } from "../support/walk-machine.ts";
import { expect, test } from "./fixtures.ts";
import { HeldNetwork, NOON, SESSION_KEY, standAtNoon, storedSession } from "./network.ts";

const HOUR = 3_600_000;
const session = storedSession();
const fact = { user: { id: session.user.id, email: session.user.email }, accessToken: session.access_token };
const endless = { status: "active", expires_at: null, current_period_end: null, cancel_at_period_end: false };
const ending = { ...endless, expires_at: new Date(NOON + HOUR).toISOString() };

const events: AnyEventObject[] = [
  { type: "session.started", session: fact },
  ...[endless, ending, null].map((subscription) => ({
    type: "xstate.done.actor.fetchSubscription",
    output: { subscription, at: NOON },
  })),
  { type: "xstate.error.actor.fetchSubscription", error: "503" },
];
/** What a browser's edge can bring about where: another tab, a button, an answer, the time. */
const walked = (state: AnyMachineSnapshot, { type, ...payload }: AnyEventObject) => {
  // Past the hour the ending subscription has ended: it cannot give access any more.
  if (type === "xstate.done.actor.fetchSubscription")
    return payload["output"].subscription !== ending || state.context.judgedAt < NOON + HOUR;
  if (type === "xstate.error.actor.fetchSubscription") return true;
  if (type === "session.started") return !state.matches("signedIn") && !state.matches("signingOut");
  if (type === "session.ended")
    return state.matches("checking") || (state.matches("signedIn") && state.context.isChecked);
  if (type === "session.end") return selectAccess(state as never) !== "checking";
  if (type === "reading.refresh")
    return state.matches({ signedIn: { access: "unsubscribed" } }) && !state.hasTag("refreshing");
  if (type === "reading.retry") return selectAccess(state as never) === "unchecked";
  if (type.startsWith("xstate.after.accessSpan"))
    return (
      state.context.subscription?.expires_at !== null &&
      state.matches({ signedIn: { subscription: { shown: "current" } } })
    );
  return type.startsWith("xstate.after.checkLimit") && state.matches("signedIn");
};
const paths = edgePaths(
  sessionMachine,
  { events, project: ({ value, context }) => [value, context.subscription, context.isChecked] },
  walked,
);

const SEEN = {
  checking: (page: Page) =>
    expect(async () => {
      const words = page.getByText("Checking subscription...");
      // A page that starts waits a tenth of a second for the answer before it says so.
      if (!(await words.isVisible())) await page.clock.runFor(100);
      await expect(words).toBeVisible({ timeout: 1_000 });
    }).toPass(),
  signedOut: (page: Page) => expect(page.getByRole("button", { name: "Login", exact: true })).toBeVisible(),
  unchecked: (page: Page) =>
    expect(page.getByRole("heading", { name: "Your subscription could not be checked" })).toBeVisible(),
  unsubscribed: (page: Page) => expect(page.getByText("🚫 Subscription Required")).toBeVisible(),
  subscribed: (page: Page) =>
    expect(page.getByText("Subscription: active").or(page.getByText("✅ Subscription Active"))).toBeVisible(),
};

const titleOf = ({ type, ...rest }: AnyEventObject) => {
  const number = events.findIndex(
    (event) => event.type === type && JSON.stringify(event) === JSON.stringify({ type, ...rest }),
  );
  return type.replace(/^xstate\./, "") + (number < 0 ? "" : ` #${number}`);
};

const BY_CLIENT = "the sign-in client alone tells it, and only after an answer of a real sign-in server";
const BY_LINK = "a password link's first step: the sign-in client alone tells it, of a link from a real e-mail";
const BY_MACHINE = "walked over the chart alone: tests/machines/session.test.ts";
const BY_SCREEN = "walked on the screen without a browser: tests/views/access.test.tsx";
const SIGNED_OUT = "it follows the last step by itself, in whichever order the sign-in client tells it";
const LEFT_OUT: Record<string, string> = {
  "session.checking | recovery.started | 0": BY_LINK,
  "session.checking | xstate.after.checkLimit.session.checking | 0":
    "a session that is not stored is known at once: only a sign-in client that hangs brings it about",
  "session.signedOut | token.refreshed | 0": BY_CLIENT,
  "session.signedOut | recovery.started | 0": BY_LINK,
  "session.signedIn | session.started | 0": BY_MACHINE,
  "session.signedIn | session.started | 1": BY_MACHINE,
  "session.signedIn | session.started | 2": BY_MACHINE,
  "session.signedIn | recovery.started | 0": BY_LINK,
  "session.signedIn | user.updated | 0": BY_CLIENT,
  "session.signedIn | token.refreshed | 0": BY_CLIENT,
  "session.signedIn | tab.shown | 0": BY_MACHINE,
  "session.signedIn.subscription.loading | reading.refresh | 0": BY_MACHINE,
  "session.signedIn.subscription.unread | reading.refresh | 0": BY_MACHINE,
  "session.signedIn.subscription.shown.outdated | reading.retry | 0": BY_SCREEN,
  "session.signingOut | session.ended | 0": SIGNED_OUT,
  "session.signingOut | xstate.done.actor.signOut | 0": SIGNED_OUT,
  "session.signingOut | xstate.error.actor.signOut | 0":
    "the sign-in client ends a session on this device whatever the server answers",
};

test("a session leaves out what other tabs and the client tell of tokens, links and people, and ways that end elsewhere", () => {
  const left = edgesLeftOut(
    sessionMachine,
    paths.map(([, steps]) => ({ input: undefined, steps })),
  );
  expect(left).toEqual(Object.keys(LEFT_OUT));
});

for (const [, steps] of paths) {
  test(`a session: ${steps.map(({ event }) => titleOf(event)).join(" > ")}`, async ({ page, context }) => {
    await standAtNoon(page);
    const network = await HeldNetwork.of(page, { "GET /rest/v1/subscriptions": "fetchSubscription" });
    const otherTab = await context.newPage();
    await otherTab.goto("/healthz");
    const store = (value: string | null) =>
      otherTab.evaluate(
        ([key, text]) => (text === null ? localStorage.removeItem(key) : localStorage.setItem(key, text)),
        [SESSION_KEY, value] as const,
      );
    let isOpen = false;
    const open = async () => {
      if (!isOpen) await page.goto("/");
      isOpen = true;
    };

    const bringAbout = async (event: AnyEventObject) => {
      switch (event.type) {
        case "xstate.init":
          return;
        case "session.started":
          await store(JSON.stringify(session));
          return open();
        case "session.ended":
          await store(null);
          return open();
        case "session.end":
          return page
            .getByRole("button", { name: /^Log ?out$/ })
            .first()
            .click();
        case "reading.retry":
          return page.getByRole("button", { name: "Try again", exact: true }).click();
        case "reading.refresh":
          return page.getByRole("button", { name: "Check again", exact: true }).click();
        case "xstate.done.actor.fetchSubscription": {
          const { subscription } = event["output"] as { subscription: object | null };
          return network.settle("fetchSubscription", { json: subscription === null ? [] : [subscription] });
        }
        case "xstate.error.actor.fetchSubscription":
          return network.settle("fetchSubscription", { status: 503, json: { message: "Away.", code: "unavailable" } });
        default:
          if (!event.type.includes("checkLimit")) return page.clock.runFor(HOUR);
          // Its time begins with the call; the page says that it checks a moment before.
          await network.called("fetchSubscription");
          return page.clock.runFor(5_000);
      }
    };
    for (const { event, state } of steps) {
      await bringAbout(event);
      if (isOpen) await SEEN[selectAccess(state as never)](page);
    }
  });
}
