import { msg, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import type { ControlId } from "../../commands/commands.ts";
import { Billing, type Standing, standingOf } from "../../machines/billing/billing.machine.ts";
import { dateText } from "../../language/format.ts";
import { selectOutdated } from "../../machines/kit/loading.ts";
import { Session, selectAccess, selectIsFetching } from "../../machines/session/session.machine.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card, Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { AccountPanel } from "./AccountPanel.tsx";
import css from "./SubscribeView.module.css";

/** `next` shows a new subscriber's next step. */
export function SubscribeView({ next = null }: { next?: ReactNode }) {
  const subscription = Session.useSelector((session) => session.context.subscription);
  const isSubscribed = Session.useSelector(selectAccess) === "subscribed";
  const judgedAt = Session.useSelector((session) => session.context.judgedAt);
  const outdated = Session.useSelector(selectOutdated);
  const sendSession = Session.useSend();
  const [billing] = Billing.use();
  const { problem } = billing.context;
  const standing = standingOf(subscription, isSubscribed, judgedAt);

  return (
    <>
      <PageHeader title={t`Billing`} subtitle={t`Your subscription and your account.`} />
      <Stack max="44rem" gap={5}>
        {billing.matches({ subscription: "syncing" }) && (
          <Banner>{t`Checking your latest payment with the card provider…`}</Banner>
        )}
        {outdated !== null && (
          <LoadError isOutdated what={outdated} onRetry={() => sendSession({ type: "reading.retry" })} />
        )}
        {problem !== null && <Banner tone="bad">{problem}</Banner>}
        {isSubscribed && next}
        {isSubscribed ? <Active standing={standing} /> : <Required standing={standing} />}
        <AccountPanel />
      </Stack>
    </>
  );
}

function Active({ standing }: { standing: Standing }) {
  const [billing, send] = Billing.use();
  const sendSession = Session.useSend();
  const renewal = standing.kind === "active" ? dateText(standing.renewsAt) : null;
  const trialEnd = standing.kind === "trial" ? dateText(standing.endsAt) : null;
  const end = standing.kind === "ending" ? dateText(standing.endsAt) : null;
  return (
    <Stack as={Card} gap={4}>
      <Text as="h2" size="xl">
        {t`✅ Subscription Active`}
      </Text>
      <Stack gap={1} size="lg">
        {standing.kind === "ending" && standing.endsWithPeriod ? (
          <p>{t`Your plan will end at the end of the billing cycle.`}</p>
        ) : (
          <p>{t`Your subscription is active.`}</p>
        )}
        {renewal !== null && <Note size="md">{t`Renews on ${renewal}.`}</Note>}
        {trialEnd !== null && <Note size="md">{t`Your free trial lasts until ${trialEnd}.`}</Note>}
        {end !== null && <Note size="md">{t`You keep every feature until ${end}.`}</Note>}
      </Stack>
      <Row wraps gap={2}>
        <Button
          variant="primary"
          data-command={"billing.manage" satisfies ControlId}
          isPending={!billing.matches({ provider: "closed" })}
          onClick={() => send({ type: "portal.open" })}
        >
          {t`Manage Billing`}
        </Button>
        <Button onClick={() => sendSession({ type: "session.end" })}>{t`Log out and switch account`}</Button>
      </Row>
    </Stack>
  );
}

const FEATURES = [
  msg`Every Telegram conversation becomes a lead`,
  msg`Stages that move by the words people use`,
  msg`Follow-ups by hand, on schedule or in bulk`,
  msg`Reminders and statistics`,
];

function Required({ standing }: { standing: Standing }) {
  const [billing, send] = Billing.use();
  const sendSession = Session.useSend();
  const isFetching = Session.useSelector(selectIsFetching);
  const endedAt = standing.kind === "ended" ? dateText(standing.endedAt) : null;
  return (
    <Stack as={Card} gap={4}>
      <Text as="h2" size="xl">
        {t`🚫 Subscription Required`}
      </Text>
      <Stack gap={1} size="lg">
        {standing.kind === "ended" ? (
          <p>
            {endedAt === null
              ? t`Your access has ended. Please start a new subscription to go on where you left off.`
              : t`Your access has ended on ${endedAt}. Please start a new subscription to go on where you left off.`}
          </p>
        ) : (
          <p>{t`You don’t have an active subscription. Subscribe to unlock features.`}</p>
        )}
      </Stack>
      <Stack as="ul" gap={2} tone="muted" className={css["features"]}>
        {FEATURES.map((feature) => (
          <li key={feature.id}>{t(feature)}</li>
        ))}
      </Stack>
      <Row wraps gap={2}>
        <Button
          variant="primary"
          isPending={!billing.matches({ provider: "closed" })}
          onClick={() => send({ type: "checkout.open" })}
        >
          {t`Subscribe with Stripe`}
        </Button>
        <Button onClick={() => sendSession({ type: "session.end" })}>{t`Log out`}</Button>
        <Button variant="ghost" isPending={isFetching} onClick={() => sendSession({ type: "reading.refresh" })}>
          {t`Check again`}
        </Button>
      </Row>
    </Stack>
  );
}
