import { t } from "@lingui/core/macro";
import { Link } from "wouter";
import type { Settings as SavedSettings } from "../../../domain/settings.ts";
import { translate } from "#language";
import {
  type SettingsForm,
  describeWindow,
  hourProblem,
  hoursHere,
  savedSettingsNote,
} from "../../machines/automation-settings/automation-settings.form.ts";
import { namesText, weekdayText } from "../../language/format.ts";
import { AutomationSettings, selectIsSaving } from "../../machines/automation-settings/automation-settings.machine.ts";
import type { Readout } from "../../machines/reading/reading.machine.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Box, Card, Grid, Note, Stack } from "../../ui/layout.tsx";
import { Conflict } from "../../ui/Conflict.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { NumberField } from "../../ui/Field.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { Switch } from "../../ui/Switch.tsx";
import css from "./FollowupGroups.module.css";
import { submitting } from "../../ui/form.tsx";
import { ReadProblems } from "../shell/ReadProblems.tsx";

/** When follow-ups may be sent, besides the hours in the form. */
export type Schedule = {
  /** The time zone and weekdays; null if the server does not have them. The hours are then UTC. */
  settings: Readout<Pick<SavedSettings, "time_zone" | "weekdays"> | null>;
  /** The browser's time zone; null if it is UTC. */
  ownZone: string | null;
  now: number;
};

export function AutomationForm({ schedule }: { schedule: Schedule }) {
  return (
    <Card aria-labelledby="automation">
      <h2 id="automation">{t`Automation`}</h2>
      <Settings schedule={schedule} />
    </Card>
  );
}

function Settings({ schedule }: { schedule: Schedule }) {
  const [chart, send] = AutomationSettings.use();
  if (chart.hasTag("loading")) return <Skeleton height="14rem" />;
  if (chart.hasTag("loadFailed"))
    return (
      <Box before={3}>
        <ReadProblems chart={chart} send={send} />
      </Box>
    );
  const { status, value } = schedule.settings;
  // If the time zone failed to load, none is named.
  const zone = status === "loadFailed" ? null : (value?.time_zone ?? "UTC");
  const { form, saved, problem, isConflict } = chart.context;
  const isSaving = selectIsSaving(chart);
  const isEditable = chart.can({ type: "settings.change", change: {} });
  const canSave = chart.can({ type: "settings.save" });
  const edit = (change: Partial<SettingsForm>) => send({ type: "settings.change", change });
  const unsaved = savedSettingsNote(form, saved, zone);
  const submit = submitting(() => send({ type: "settings.save" }));
  return (
    <Stack as="form" gap={4} before={4} onSubmit={submit} noValidate>
      <Switch
        label={t`Automatic follow-ups`}
        description={t`Each goes out when its delay is over, and never after a lead has answered.`}
        checked={form.isEnabled}
        disabled={!isEditable}
        onChange={(event) => edit({ isEnabled: event.target.checked })}
      />
      {isConflict && (
        <Conflict
          isDisabled={!isEditable}
          onKeepMine={() => send({ type: "settings.choose", version: "mine" })}
          onUseSaved={() => send({ type: "settings.choose", version: "saved" })}
        >
          {saved.isEnabled
            ? t`These settings were changed elsewhere. The saved version: automatic follow-ups on, from ${{ start: saved.startHour }} to ${{ end: saved.endHour }}. Choose which to keep, then save.`
            : t`These settings were changed elsewhere. The saved version: automatic follow-ups off, from ${{ start: saved.startHour }} to ${{ end: saved.endHour }}. Choose which to keep, then save.`}
        </Conflict>
      )}
      {unsaved !== null && !isConflict && (
        <Banner
          tone="warn"
          actions={
            <Button type="submit" size="small" isPending={isSaving} disabled={!canSave}>
              {t`Save now`}
            </Button>
          }
        >
          {unsaved}
        </Banner>
      )}
      <Grid as="fieldset" columns="1fr 1fr" gap={[2, 3]}>
        <Note as="legend" after={2}>
          {zone === null ? t`Allowed hours` : t`Allowed hours (${{ zone: zone.replaceAll("_", " ") }})`}
        </Note>
        <NumberField
          label={t`Start hour`}
          min={0}
          max={23}
          step={1}
          value={form.startHour}
          readOnly={!isEditable}
          errorMessage={hourProblem(form.startHour)}
          onChange={(event) => edit({ startHour: event.target.value })}
        />
        <NumberField
          label={t`End hour`}
          min={0}
          max={23}
          step={1}
          value={form.endHour}
          readOnly={!isEditable}
          errorMessage={hourProblem(form.endHour)}
          onChange={(event) => edit({ endHour: event.target.value })}
        />
      </Grid>
      <Note className={css["hint"]}>{translate(describeWindow(form, zone))}</Note>
      <Hours form={form} schedule={schedule} />
      {problem !== null && <Mark>{problem}</Mark>}
      <ReadProblems chart={chart} send={send} />
      <Button isAtStart type="submit" isPending={isSaving} disabled={!canSave}>
        {t`Save Settings`}
      </Button>
    </Stack>
  );
}

/** The hours in the user's time zone, and the days, as far as known. */
function Hours({ form, schedule: { settings, ownZone, now } }: { form: SettingsForm; schedule: Schedule }) {
  const { status, value, retry } = settings;
  if (status === "loadFailed") return <LoadError what={t`the time zone and days`} onRetry={retry} />;
  const isAllDay = form.startHour === form.endHour;
  const here = value === undefined || isAllDay ? null : hoursHere(form, value?.time_zone ?? "UTC", now);
  const days = (value?.weekdays ?? []).toSorted((one, other) => one - other).map((day) => weekdayText(day));
  return (
    <>
      {here !== null && (
        <Note
          className={css["hint"]}
        >{t`Start: ${{ start: translate(here.start) }}. End: ${{ end: translate(here.end) }}.`}</Note>
      )}
      {value != null && (
        <Note className={css["hint"]}>
          {days.length === 7 ? t`Every day.` : t`Only on ${{ days: namesText(days) }}.`}{" "}
          <Link href="/settings">
            {value.time_zone === null && ownZone !== null
              ? t`Change to your time zone, ${{ ownZone: ownZone.replaceAll("_", " ") }}`
              : t`Change days and time zone`}
          </Link>
        </Note>
      )}
    </>
  );
}
