import { t } from "@lingui/core/macro";
import { msg, plural } from "@lingui/core/runtime-macro";
import { useId } from "react";
import { translate } from "#language";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { namesText } from "../../language/format.ts";
import type { ControlId } from "../../commands/commands.ts";
import { NAME_MAX_CHARS, REMINDER_MAX_DELAY_DAYS } from "../../../domain/limits.ts";
import { REMINDER_PLACEHOLDERS, plainBraces, unknownPlaceholders } from "../../../domain/reminder.ts";
import { lengthOf } from "../../machines/composer/composer.attaching.ts";
import { type ReminderForm as Form, Reminders, delayProblem } from "../../machines/reminders/reminders.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Stack, Text } from "../../ui/layout.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { NumberField, TextField, TextArea } from "../../ui/Field.tsx";
import { UnknownBraces } from "../preview/PlaceholderPreview.tsx";
import { submitting } from "../../ui/form.tsx";

const KNOWN = REMINDER_PLACEHOLDERS.map((name) => `{${name}}`).join(" ");

/** A reminder with an unknown placeholder is invalid. */
function templateProblem(template: string): UiTextOrString | undefined {
  const unknown = [...new Set(unknownPlaceholders(template))].map((name) => `{${name}}`);
  if (unknown.length === 0) return lengthOf(template, false).problem;
  return msg`${plural({ count: unknown.length }, { one: msg`${{ placeholders: namesText(unknown) }} cannot be filled in. Take it out, or write one of the known ones.`, other: msg`${{ placeholders: namesText(unknown) }} cannot be filled in. Take them out, or write one of the known ones.` })}`;
}

export function ReminderForm() {
  const [chart, send] = Reminders.use();
  const { form, stageNames, refusal } = chart.context;
  const isAdding = chart.matches({ form: "adding" });
  const isReadOnly = !chart.can({ type: "form.change", change: {} });
  const canAdd = chart.can({ type: "form.submit" });
  const changeForm = (change: Partial<Form>) => send({ type: "form.change", change });
  const stagesId = useId();

  return (
    <Card aria-labelledby="new-reminder">
      <h2 id="new-reminder">{t`New Reminder`}</h2>
      <Stack as="form" gap={4} before={4} onSubmit={submitting(() => send({ type: "form.submit" }))} noValidate>
        <TextField
          label={t`Stage name`}
          data-command={"reminders.add" satisfies ControlId}
          dir="auto"
          list={stagesId}
          maxLength={NAME_MAX_CHARS}
          value={form.stage}
          readOnly={isReadOnly}
          errorMessage={refusal?.fields["stage"]}
          onChange={(event) => changeForm({ stage: event.target.value })}
        />
        <datalist id={stagesId}>
          {stageNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
        {chart.matches({ suggestions: "loadFailed" }) && (
          <LoadError what={t`the stage names`} onRetry={() => send({ type: "reading.retry" })} />
        )}
        <TextField
          label={t`Channel ID`}
          dir="ltr"
          placeholder={t`@my_team`}
          description={t`@channel_name, a channel id such as -1001234567890, or me for your Saved Messages.`}
          value={form.channelId}
          readOnly={isReadOnly}
          errorMessage={refusal?.fields["channel_id"]}
          onChange={(event) => changeForm({ channelId: event.target.value })}
        />
        <NumberField
          label={t`Delay in days`}
          min={1}
          max={REMINDER_MAX_DELAY_DAYS}
          step={1}
          value={form.delayDays}
          readOnly={isReadOnly}
          errorMessage={delayProblem(form) ?? refusal?.fields["delay_days"]}
          onChange={(event) => changeForm({ delayDays: event.target.value })}
        />
        <TextArea
          label={t`Message template`}
          dir="auto"
          rows={3}
          description={t`Filled in for each lead: ${KNOWN}`}
          value={form.template}
          readOnly={isReadOnly}
          errorMessage={templateProblem(form.template) ?? refusal?.fields["template"]}
          onChange={(event) => changeForm({ template: event.target.value })}
        />
        <UnknownBraces braces={plainBraces(form.template)} known={KNOWN} />
        {refusal !== null && Object.keys(refusal.fields).length === 0 && (
          <Text size="sm" tone="bad">
            {translate(refusal.message)}
          </Text>
        )}
        <Button isAtStart type="submit" variant="primary" isPending={isAdding} disabled={!canAdd}>
          {t`Add Reminder`}
        </Button>
      </Stack>
    </Card>
  );
}
