import { screen } from "@testing-library/react";
import { expect } from "vitest";
import { createActor } from "xstate";
import { Account } from "../../src/machines/account/account.machine.ts";
import { billingModel } from "../machines/billing.model.ts";
import { Billing } from "../../src/machines/billing/billing.machine.ts";
import { Session, type SessionSnapshot, selectAccess } from "../../src/machines/session/session.machine.ts";
import { CheckingView } from "../../src/views/shell/CheckingView.tsx";
import { UncheckedView } from "../../src/views/shell/UncheckedView.tsx";
import { SubscribeView } from "../../src/views/subscribe/SubscribeView.tsx";
import { accountModel } from "../machines/account.model.ts";
import { sessionModel } from "../machines/session.model.ts";
import { seen, toChart } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

function Screen() {
  const access = Session.useSelector(selectAccess);
  if (access === "checking") return <CheckingView />;
  if (access === "unchecked") return <UncheckedView />;
  if (access === "signedOut") return null;
  return (
    <Billing.Provider logic={billingModel.machine} options={{ input: { isBack: false } }}>
      <Account.Provider logic={accountModel.machine} options={{ input: { email: "ada@example.com" } }}>
        <SubscribeView />
      </Account.Provider>
    </Billing.Provider>
  );
}

const facts = [
  "session.started",
  "recovery.started",
  "session.ended",
  "user.updated",
  "token.refreshed",
  "tab.shown",
  "session.end",
];

walkEveryView({
  model: sessionModel,
  show: (logic, options) => (
    <Session.ActorProvider value={createActor(logic, options).start()}>
      <Screen />
    </Session.ActorProvider>
  ),
  gestures: Object.fromEntries(facts.map((type) => [type, toChart])),
  see(state) {
    const access = selectAccess(state as SessionSnapshot);
    expect(seen("Checking subscription...")).toEqual(access === "checking");
    expect(screen.queryByRole("heading", { name: "Your subscription could not be checked" }) !== null).toEqual(
      access === "unchecked",
    );
    expect(seen("🚫 Subscription Required")).toEqual(access === "unsubscribed");
    expect(seen("✅ Subscription Active")).toEqual(access === "subscribed");
  },
});
