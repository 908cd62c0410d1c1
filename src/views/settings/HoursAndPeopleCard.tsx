import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMemo, useState } from "react";
import { type UiTextOrString, translate } from "#language";
import { clockIn, namesText, weekdayText } from "../../language/format.ts";
import { problemsOf, withDay } from "../../machines/settings/settings.form.ts";
import { SettingsChart, selectIsEdited, selectIsSaving } from "../../machines/settings/settings.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { Note, Row, Stack, Text, VisuallyHidden } from "../../ui/layout.tsx";
import { Conflict } from "../../ui/Conflict.tsx";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import { FormProblem, submitting } from "../../ui/form.tsx";
import { NativeSelect, TextArea } from "../../ui/Field.tsx";
import { useNow } from "../../ui/hooks.ts";
import css from "./SettingsView.module.css";
import { UTC, ownZone, zonesByRegion } from "./zones.ts";
import { SettingCard } from "./SettingCard.tsx";

/** The hours of automation, the exclusions, and settings of all conversations. */
export function HoursAndPeopleCard({ now }: { now: () => number }) {
  const [chart, send] = SettingsChart.use();
  const { form, saved, problem, refused, isConflict } = chart.context;
  const isSaving = selectIsSaving(chart);
  const canChange = chart.can({ type: "settings.change", change: {} });
  const canSave = chart.can({ type: "settings.save" });
  const edit = (change: Partial<typeof form>) => send({ type: "settings.change", change });
  const problems = { ...refused, ...problemsOf(form, saved) };
  return (
    <SettingCard title={t`Hours and people`} height="20rem" chart={chart} send={send}>
      <Stack as="form" gap={5} noValidate onSubmit={submitting(() => send({ type: "settings.save" }))}>
        <ZoneField
          zone={form.timeZone}
          now={now}
          isDisabled={!canChange}
          errorMessage={problems.timeZone}
          onSelect={(timeZone) => edit({ timeZone })}
        />
        <Weekdays weekdays={form.weekdays} isDisabled={!canChange} problem={problems.weekdays} onChange={edit} />
        <TextArea
          label={t`Opt-out words`}
          value={form.optOutWords}
          readOnly={!canChange}
          rows={5}
          spellCheck={false}
          dir="auto"
          errorMessage={problems.optOutWords}
          description={t`One a line. Whoever sends one of them as a whole message, in capitals or not, gets no automatic or bulk message any more; you can take that back on the lead.`}
          onChange={({ target: { value } }) => edit({ optOutWords: value })}
        />
        {isConflict && (
          <Conflict
            isDisabled={!canChange}
            onKeepMine={() => send({ type: "settings.choose", version: "mine" })}
            onUseSaved={() => send({ type: "settings.choose", version: "saved" })}
          >
            <Trans>
              These settings were changed elsewhere. The saved version: time zone {{ zone: saved.timeZone || UTC }}, on{" "}
              {{
                days:
                  namesText(
                    DAYS.filter((day) => saved.weekdays.includes(String(day))).map((day) => weekdayText(day)),
                  ) || t`no day`,
              }}
              , opt-out words {{ words: namesText(saved.optOutWords.split("\n")) || t`none` }}. Choose which to keep,
              then save.
            </Trans>
          </Conflict>
        )}
        <FormProblem>{problem}</FormProblem>
        <Row wraps gap={3} className={css["actions"]}>
          <Button type="submit" variant="primary" isPending={isSaving} disabled={!canSave}>
            {isSaving ? t`Saving...` : t`Save Settings`}
          </Button>
          {selectIsEdited(chart) && !isSaving && (
            <Note as="span" share="line" className={css["hint"]}>
              {t`Not saved yet.`}
            </Note>
          )}
        </Row>
      </Stack>
    </SettingCard>
  );
}

type ZoneFieldProps = {
  zone: string;
  now: () => number;
  isDisabled: boolean;
  errorMessage: UiTextOrString | undefined;
  onSelect: (zone: string) => void;
};

function ZoneField({ zone, now, isDisabled, errorMessage, onSelect }: ZoneFieldProps) {
  const [own] = useState(ownZone);
  // Keeps the initial zone available after keys have moved through the list.
  const [first] = useState(zone);
  const regions = useMemo(() => zonesByRegion([first, own, zone]), [first, own, zone]);
  const at = useNow(now);
  const time = clockIn(zone, at);
  return (
    <Stack justify="start" gap={2} className={css["zone"]}>
      <NativeSelect
        label={t`Time zone`}
        value={zone === "" ? UTC : zone}
        disabled={isDisabled}
        errorMessage={errorMessage}
        description={
          time === ""
            ? t`The allowed hours and days are those of this zone, also when its clocks change.`
            : t`The allowed hours and days are those of this zone, also when its clocks change. It was ${time} there a moment ago.`
        }
        onChange={({ target: { value } }) => onSelect(value === UTC ? "" : value)}
      >
        <option value={UTC}>{UTC}</option>
        {regions.map(({ name, zones }) => (
          <optgroup key={name} label={name}>
            {zones.map(({ id, name: place }) => (
              <option key={id} value={id}>
                {place}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect>
      {own !== null && own !== zone && (
        <Button
          ref={passFocusOnRemoval}
          size="small"
          variant="ghost"
          disabled={isDisabled}
          onClick={() => onSelect(own)}
        >
          {t`Use mine: ${{ own: own.replaceAll("_", " ") }}`}
        </Button>
      )}
    </Stack>
  );
}

const DAYS = [1, 2, 3, 4, 5, 6, 7];

type WeekdaysProps = {
  weekdays: string;
  isDisabled: boolean;
  problem: UiTextOrString | undefined;
  onChange: (change: { weekdays: string }) => void;
};

function Weekdays({ weekdays, isDisabled, problem, onChange }: WeekdaysProps) {
  return (
    <Row as="fieldset" wraps gap={2} share="less" disabled={isDisabled}>
      <Text as="legend" after={2} size="sm" weight="medium">
        {t`Days on which automation may write`}
      </Text>
      {DAYS.map((day) => (
        <Row as="label" gap={1} key={day} className={css["day"]}>
          <input
            type="checkbox"
            checked={weekdays.includes(String(day))}
            aria-describedby={problem === undefined ? "weekdays-words" : "weekdays-words weekdays-problem"}
            onChange={() => onChange({ weekdays: withDay(weekdays, day) })}
          />
          <span aria-hidden="true">{weekdayText(day, "short")}</span>
          <VisuallyHidden>{weekdayText(day)}</VisuallyHidden>
        </Row>
      ))}
      <Note share="line" id="weekdays-words" className={css["hint"]}>
        {t`On other days messages wait for the next allowed one. What you send yourself goes out on any day.`}
      </Note>
      {problem !== undefined && (
        <Text share="line" size="sm" tone="bad" id="weekdays-problem" role="alert">
          {translate(problem)}
        </Text>
      )}
    </Row>
  );
}
