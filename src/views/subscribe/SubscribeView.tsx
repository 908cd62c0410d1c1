import type { ReactNode } from "react";
import { Billing, type Standing, standingOf } from "../../machines/billing/billing.machine.ts";
import { dateText } from "../../machines/kit/format.ts";
import { selectOutdated } from "../../machines/kit/reading.ts";
import {
  selectAccess,
  selectIsFetching,
  selectJudgedAt,
  selectSubscription,
  useSession,
  useSessionEvents,
} from "../../machines/session/index.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { AccountPanel } from "./AccountPanel.tsx";
import css from "./SubscribeView.module.css";

export type SubscribeViewProps = {
  /** What a subscriber does next, after a payment. */
  next?: ReactNode;
};

export function SubscribeView({ next = null }: SubscribeViewProps) {
  const subscription = useSession(selectSubscription);
  const isSubscribed = useSession(selectAccess) === "subscribed";
  const judgedAt = useSession(selectJudgedAt);
  const outdated = useSession(selectOutdated);
  const { retryReading } = useSessionEvents();
  const [billing] = Billing.use();
  const { problem } = billing.context;
  const standing = standingOf(subscription, isSubscribed, judgedAt);

  return (
    <>
      <PageHeader title="Billing" subtitle="Your subscription and your account." />
      <div className={css["stack"]}>
        {billing.matches({ subscription: "syncing" }) && (
          <Banner>Checking your latest payment with the card provider…</Banner>
        )}
        {outdated !== null && <NotRead isOutdated what={outdated} onRetry={retryReading} />}
        {problem !== null && <Banner tone="bad">{problem}</Banner>}
        {isSubscribed && next}
        {isSubscribed ? <Active standing={standing} /> : <Required standing={standing} />}
        <AccountPanel />
      </div>
    </>
  );
}

function Active({ standing }: { standing: Standing }) {
  const [billing, send] = Billing.use();
  const { logOut } = useSessionEvents();
  const renewal = standing.kind === "active" ? dateText(standing.renewsAt) : null;
  const end = standing.kind === "ending" ? dateText(standing.endsAt) : null;
  return (
    <Card className={css["plan"]}>
      <h2 className={css["standing"]}>✅ Subscription Active</h2>
      <div className={css["words"]}>
        {standing.kind === "ending" ? (
          <p>Your plan will end at the end of the billing cycle.</p>
        ) : (
          <p>Your subscription is active.</p>
        )}
        {renewal !== null && <p className={css["detail"]}>Renews on {renewal}.</p>}
        {end !== null && <p className={css["detail"]}>You keep every feature until {end}.</p>}
      </div>
      <div className={css["actions"]}>
        <Button
          variant="primary"
          isPending={!billing.matches({ provider: "closed" })}
          onClick={() => send({ type: "portal.open" })}
        >
          Manage Billing
        </Button>
        <Button onClick={logOut}>Log out and switch account</Button>
      </div>
    </Card>
  );
}

const FEATURES = [
  "Every Telegram conversation becomes a lead",
  "Stages that move by the words people use",
  "Follow-ups by hand, on schedule or in bulk",
  "Reminders and statistics",
];

function Required({ standing }: { standing: Standing }) {
  const [billing, send] = Billing.use();
  const { logOut, refreshSubscription } = useSessionEvents();
  const isFetching = useSession(selectIsFetching);
  return (
    <Card className={css["plan"]}>
      <h2 className={css["standing"]}>🚫 Subscription Required</h2>
      <div className={css["words"]}>
        {standing.kind === "ended" ? (
          <p>
            Your access has ended{endDate(standing.endedAt)}. Please start a new subscription to go on where you left
            off.
          </p>
        ) : (
          <p>You don’t have an active subscription. Subscribe to unlock features.</p>
        )}
      </div>
      <ul className={css["features"]}>
        {FEATURES.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <div className={css["actions"]}>
        <Button
          variant="primary"
          isPending={!billing.matches({ provider: "closed" })}
          onClick={() => send({ type: "checkout.open" })}
        >
          Subscribe with Stripe
        </Button>
        <Button onClick={logOut}>Log out</Button>
        <Button variant="ghost" isPending={isFetching} onClick={refreshSubscription}>
          Check again
        </Button>
      </div>
    </Card>
  );
}

function endDate(endedAt: string | null): string {
  const date = dateText(endedAt);
  return date === null ? "" : ` on ${date}`;
}
