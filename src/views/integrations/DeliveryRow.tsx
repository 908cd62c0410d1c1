import { translate } from "#language";
import { reasonOf } from "../../../domain/stored-reasons.ts";
import { msg, plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId } from "react";
import type { WebhookDelivery } from "../../../domain/webhook.ts";
import { momentText } from "../../language/format.ts";
import { selectProblemOf } from "../../machines/kit/writing.ts";
import { WebhookDeliveries } from "../../machines/webhook-deliveries/webhook-deliveries.machine.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { Note, Row, Stack, Text, Code, Span } from "../../ui/layout.tsx";
import css from "./integrations.module.css";

const STATES = {
  pending: { name: msg`On its way`, tone: "neutral" },
  delivered: { name: msg`Delivered`, tone: "good" },
  failed: { name: msg`Failed`, tone: "bad" },
  given_up: { name: msg`Given up`, tone: "bad" },
} as const;

function outcomeOf(delivery: WebhookDelivery): string {
  const { status, attempts, next_try_at: next, replay_of: replayed } = delivery;
  const error = reasonOf(delivery, "error");
  const answer = status === null ? null : t`Answered ${status}.`;
  const parts = [
    error === null ? answer : translate(error),
    attempts > 1 && t`${plural({ attempts }, { one: "# attempt.", other: "# attempts." })}`,
    next !== null && attempts > 0 && t`Next attempt ${{ moment: momentText(next) ?? next }}.`,
    replayed !== null && t`Sent again by hand.`,
  ];
  return parts.filter(Boolean).join(" ");
}

/** Formats a JSON body; it is sent without line breaks. */
function legible(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export function DeliveryRow({ delivery }: { delivery: WebhookDelivery }) {
  const { id, event, event_id: eventId, at, state, body } = delivery;
  const [chart, send] = WebhookDeliveries.use();
  const { opened, active } = chart.context;
  const isOpen = opened === id;
  const isReplaying = active === id;
  const replay = { type: "delivery.replay", id } as const;
  const problem = selectProblemOf(id)(chart);
  const bodyId = useId();
  const { name, tone } = STATES[state];
  const when = momentText(at) ?? at;
  return (
    <Row as="li" pad={[3, 0]} wraps gap={[2, 3]}>
      <Row wraps gap={[1, 2]} share="less" className={css["words"]}>
        <Badge tone={tone}>{t(name)}</Badge>
        <Code>{event}</Code>
        <Note as="time" dateTime={at}>
          {when}
        </Note>
        <Span share="line" size="sm" className={css["outcome"]} dir="auto">
          {outcomeOf(delivery)}
        </Span>
      </Row>
      <Row wraps gap={2}>
        <Button
          size="small"
          aria-expanded={isOpen}
          aria-controls={isOpen ? bodyId : undefined}
          aria-label={t`Body of ${event}, ${when}`}
          onClick={() => send(isOpen ? { type: "delivery.close" } : { type: "delivery.open", id })}
        >
          {t`Body`}
        </Button>
        <Button
          size="small"
          aria-label={t`Send again: ${event}, ${when}`}
          isPending={isReplaying}
          isAriaDisabled={!chart.can(replay)}
          onClick={() => send(replay)}
        >
          {t`Send again`}
        </Button>
      </Row>
      <FormProblem share="line">{problem}</FormProblem>
      {isOpen && (
        <Stack gap={1} share="line" id={bodyId}>
          <Note>
            <Trans>
              webhook-id <Code>{eventId}</Code>
            </Trans>
          </Note>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll container must be reachable by keyboard */}
          <Text
            as="pre"
            surface="well"
            scroll="24rem"
            pad={3}
            size="sm"
            className={css["json"]}
            tabIndex={0}
            aria-label={t`Body`}
            role="region"
          >
            {legible(body)}
          </Text>
        </Stack>
      )}
    </Row>
  );
}
