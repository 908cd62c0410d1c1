import { t } from "@lingui/core/macro";
import { reasonOf } from "../../../domain/stored-reasons.ts";
import { translate } from "#language";
import { namesText } from "../../language/format.ts";
import { Pencil, Trash2 } from "lucide-react";
import { Link } from "wouter";
import type { Webhook } from "../../../domain/webhook.ts";
import { selectProblemOf } from "../../machines/kit/writing.ts";
import { Webhooks, selectIsEditing } from "../../machines/webhooks/webhooks.machine.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button, buttonClass, IconButton } from "../../ui/Button.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { Note, Row, Code, Span } from "../../ui/layout.tsx";
import css from "./integrations.module.css";

/** A webhook: its address, events and state, and its actions. */
export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, url, events, enabled } = webhook;
  const reason = reasonOf(webhook, "disabled_reason");
  const [chart, send] = Webhooks.use();
  const edit = { type: "webhook.edit", id, form: { url, events } } as const;
  const turn = { type: "webhook.switch", id } as const;
  const remove = { type: "webhook.delete", id } as const;
  const isActive = chart.context.active?.id === id && !selectIsEditing(chart);
  const isSwitching = isActive && chart.matches({ work: "switching" });
  // The button that opened the confirmation keeps the focus.
  const isAsked = isActive && !isSwitching;
  const problem = selectIsEditing(chart) ? null : selectProblemOf(id)(chart);
  const turning = enabled ? t`Disable` : reason === null ? t`Enable` : t`Enable again`;
  return (
    <Row as="li" pad={[3, 0]} wraps gap={[2, 3]}>
      <Row wraps gap={[1, 2]} share="less" className={css["words"]}>
        <Code>{url}</Code>
        <Badge tone={enabled ? "good" : "warn"}>{enabled ? t`Enabled` : t`Disabled`}</Badge>
        <Note as="span" share="line">
          {namesText(events)}
        </Note>
        {!enabled && (
          <Span share="line" size="sm" tone="warn">
            {reason === null ? t`You disabled it.` : translate(reason)} {t`Events during this time are not delivered.`}
          </Span>
        )}
      </Row>
      <Row wraps gap={2}>
        <Link href={`/settings#webhooks/${id}`} className={buttonClass("small")} aria-label={t`Deliveries to ${url}`}>
          {t`Deliveries`}
        </Link>
        <Button
          size="small"
          aria-label={`${turning}: ${url}`}
          isPending={isSwitching}
          isAriaDisabled={!chart.can(turn)}
          onClick={() => send(turn)}
        >
          {turning}
        </Button>
        <IconButton label={t`Edit ${url}`} icon={<Pencil />} disabled={!chart.can(edit)} onClick={() => send(edit)} />
        <IconButton
          label={t`Delete ${url}`}
          icon={<Trash2 />}
          disabled={!chart.can(remove) && !isAsked}
          aria-disabled={!chart.can(remove) || undefined}
          onClick={() => send(remove)}
        />
      </Row>
      <FormProblem share="line">{problem}</FormProblem>
    </Row>
  );
}
