import { reasonOf } from "../../../domain/stored-reasons.ts";
import { translate } from "#language";
import { plural, t } from "@lingui/core/macro";
import { useId } from "react";
import type { Reminder } from "../../../domain/reminder.ts";
import { Reminders } from "../../machines/reminders/reminders.machine.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { Note, Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./RemindersView.module.css";

export function ReminderItem({ reminder }: { reminder: Reminder }) {
  const [chart, send] = Reminders.use();
  const { problem, activeId } = chart.context;
  const isActive = activeId === reminder.id;
  const toggle = { type: "reminder.toggle", id: reminder.id } as const;
  const remove = { type: "reminder.delete", id: reminder.id } as const;
  const failed = problem?.attempt === "toggle" ? toggle : remove;
  const nameId = useId();
  const { id, stage, delay_days, channel_id, template, is_enabled } = reminder;
  const reason = reasonOf(reminder, "disabled_reason");
  return (
    <Stack surface="card" as="li" gap={3} pad={4} share="less">
      <Row justify="between" gap={3}>
        <Text as="strong" share="less" size="lg" weight="strong" id={nameId} dir="auto">
          {stage}
        </Text>
        <Badge tone={is_enabled ? "good" : "neutral"}>{is_enabled ? t`Enabled` : t`Disabled`}</Badge>
      </Row>
      <Row as="dl" wraps gap={[2, 5]} tone={is_enabled ? undefined : "muted"}>
        <div>
          <Note as="dt" size="xs">{t`Delay`}</Note>
          <dd>{t`${plural({ days: delay_days }, { one: "# day", other: "# days" })}`}</dd>
        </div>
        <div>
          <Note as="dt" size="xs">{t`Channel`}</Note>
          <dd dir="ltr">{channel_id}</dd>
        </div>
      </Row>
      <Text pad={3} size="sm" tone={is_enabled ? undefined : "muted"} className={css["template"]} dir="auto">
        {template}
      </Text>
      {reason !== null && (
        <Text size="sm" tone="bad">
          {translate(reason)}
        </Text>
      )}
      <Row align="stretch" gap={2}>
        <Button
          size="small"
          aria-describedby={nameId}
          isPending={isActive && chart.matches({ rule: "toggling" })}
          disabled={!chart.can(toggle)}
          onClick={() => send(toggle)}
        >
          {t`Toggle`}
        </Button>
        <Button
          size="small"
          variant="ghost"
          aria-describedby={nameId}
          isPending={isActive && chart.matches({ rule: "deleting" })}
          disabled={!chart.can(remove)}
          onClick={() => send(remove)}
        >
          {t`Delete`}
        </Button>
      </Row>
      {problem?.id === id && (
        <Mark
          retryLabel={t`Try again: ${{ attempt: problem.attempt === "toggle" ? t`Toggle` : t`Delete` }}`}
          onRetry={chart.can(failed) ? () => send(failed) : undefined}
        >
          {problem.message}
        </Mark>
      )}
    </Stack>
  );
}
