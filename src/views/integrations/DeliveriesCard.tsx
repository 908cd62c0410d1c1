import { t } from "@lingui/core/macro";
import { reasonOf } from "../../../domain/stored-reasons.ts";
import { translate } from "#language";
import { Trans } from "@lingui/react/macro";
import { ArrowLeft } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { selectProblemOver } from "../../machines/kit/writing.ts";
import { WebhookDeliveries } from "../../machines/webhook-deliveries/webhook-deliveries.machine.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card, Note, Row, Stack, Text, Code } from "../../ui/layout.tsx";
import { passFocusToNewRow } from "../../ui/lost-focus.ts";
import { FormProblem } from "../../ui/form.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { DeliveryRow } from "./DeliveryRow.tsx";
import css from "./integrations.module.css";
import { ReadProblems } from "../shell/ReadProblems.tsx";

/** The deliveries of one webhook, newest first, with their outcomes. */
export function DeliveriesCard() {
  const [chart, send] = WebhookDeliveries.use();
  const { webhook } = chart.context;
  const problem = selectProblemOver(chart);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack as={Card} gap={3}>
      <Row as={Link} gap={1} size="sm" href="/settings#webhooks" className={css["back"]}>
        <Trans>
          <ArrowLeft />
          All webhooks
        </Trans>
      </Row>
      <h3 ref={heading} tabIndex={-1}>
        {webhook === null ? (
          t`Deliveries`
        ) : (
          <Trans>
            Deliveries to <Code>{webhook.url}</Code>
          </Trans>
        )}
      </h3>
      {chart.matches({ list: "loading" }) && <Skeleton height="6rem" />}
      <ReadProblems chart={chart} send={send} />
      {webhook === null && chart.matches({ list: "shown" }) && <Text tone="muted">{t`This webhook was deleted.`}</Text>}
      <Switched />
      <FormProblem>{problem}</FormProblem>
      {webhook !== null && <Sent />}
    </Stack>
  );
}

/** Why the webhook is disabled, with a button to enable it. */
function Switched() {
  const [chart, send] = WebhookDeliveries.use();
  const { webhook } = chart.context;
  const isEnabling = chart.matches({ work: "enabling" });
  const enable = { type: "webhook.enable" } as const;
  if (webhook === null || webhook.enabled) return null;
  const reason = reasonOf(webhook, "disabled_reason");
  return (
    <Banner
      tone="warn"
      actions={
        <Button size="small" isPending={isEnabling} isAriaDisabled={!chart.can(enable)} onClick={() => send(enable)}>
          {t`Enable again`}
        </Button>
      }
    >
      {reason === null ? t`You disabled this webhook.` : translate(reason)}{" "}
      {t`Events during this time are not delivered.`}
    </Banner>
  );
}

function Sent() {
  const [chart, send] = WebhookDeliveries.use();
  const { items } = chart.context;
  const isTesting = chart.matches({ work: "testing" });
  const test = { type: "webhook.test" } as const;
  return (
    <>
      <Button isAtStart isPending={isTesting} isAriaDisabled={!chart.can(test)} onClick={() => send(test)}>
        {t`Send a test event`}
      </Button>
      {items.length === 0 ? (
        <Text tone="muted">{t`Nothing yet. A test event shows whether the address answers.`}</Text>
      ) : (
        <Stack as="ol" aria-label={t`Deliveries`}>
          {items.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </Stack>
      )}
      <Older />
    </>
  );
}

function Older() {
  const [chart, send] = WebhookDeliveries.use();
  const { older } = chart.value;
  const load = { type: "older.load" } as const;
  if (chart.context.next === null) return null;
  const isLoading = older === "loading";
  return (
    <Row wraps gap={2}>
      {older === "failed" && (
        <Note as="span" role="status">
          {t`Older deliveries could not be read.`}
        </Note>
      )}
      <Button
        ref={passFocusToNewRow}
        size="small"
        isPending={isLoading}
        isAriaDisabled={!chart.can(load)}
        onClick={() => send(load)}
      >
        {older === "failed" ? t`Try older ones again` : t`Older`}
      </Button>
    </Row>
  );
}
