import { useId } from "react";
import type { Reminder } from "../../../domain/reminder.ts";
import {
  selectActiveId,
  selectProblem,
  useCanReminders,
  useReminders,
  useRemindersEvents,
} from "../../machines/reminders/index.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { Mark } from "../../ui/Mark.tsx";
import css from "./RemindersView.module.css";

export function ReminderItem({ reminder }: { reminder: Reminder }) {
  const canToggle = useCanReminders({ type: "reminder.toggle", id: reminder.id });
  const canDelete = useCanReminders({ type: "reminder.delete", id: reminder.id });
  const problem = useReminders(selectProblem);
  const isActive = useReminders(selectActiveId) === reminder.id;
  const { toggleReminder, deleteReminder } = useRemindersEvents();
  const canRetry = problem?.attempt === "toggle" ? canToggle : canDelete;
  const nameId = useId();
  const { id, stage, delay_days, channel_id, template, is_enabled, disabled_reason } = reminder;
  const days = `${delay_days} ${delay_days === 1 ? "day" : "days"}`;
  return (
    <li className={css["rule"]} data-off={!is_enabled || undefined}>
      <div className={css["ruleHead"]}>
        <strong id={nameId} className={css["stage"]} dir="auto">
          {stage}
        </strong>
        <Badge tone={is_enabled ? "good" : "neutral"}>{is_enabled ? "Enabled" : "Disabled"}</Badge>
      </div>
      <dl className={css["facts"]}>
        <div>
          <dt>Delay</dt>
          <dd>{days}</dd>
        </div>
        <div>
          <dt>Channel</dt>
          <dd>{channel_id}</dd>
        </div>
      </dl>
      <p className={css["template"]} dir="auto">
        {template}
      </p>
      {disabled_reason !== null && <p className={css["reason"]}>{disabled_reason}</p>}
      <div className={css["ruleActions"]}>
        <Button
          size="small"
          aria-describedby={nameId}
          isPending={isActive}
          disabled={!canToggle && !isActive}
          onClick={() => toggleReminder(id)}
        >
          Toggle
        </Button>
        <Button
          size="small"
          variant="ghost"
          aria-describedby={nameId}
          isPending={isActive}
          disabled={!canDelete && !isActive}
          onClick={() => deleteReminder(id)}
        >
          Delete
        </Button>
      </div>
      {problem?.id === id && (
        <Mark
          retryLabel={`Try again: ${problem.attempt}`}
          onRetry={
            canRetry ? () => (problem.attempt === "toggle" ? toggleReminder(id) : deleteReminder(id)) : undefined
          }
        >
          {problem.words}
        </Mark>
      )}
    </li>
  );
}
