import type { FormEvent } from "react";
import { Link } from "wouter";
import {
  type SettingsForm,
  describeWindow,
  hourProblem,
  hoursHere,
  inForce,
  selectAreSettingsLoading,
  selectAreSettingsSaving,
  selectIsSettingsConflict,
  selectSavedSettings,
  selectSettingsForm,
  selectSettingsProblem,
  useAutomationSettings,
  useAutomationSettingsEvents,
  useCanAutomationSettings,
} from "../../machines/automation-settings/index.ts";
import { selectOutdated, selectUnread } from "../../machines/kit/reading.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { Conflict } from "../../ui/Conflict.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Switch } from "../../ui/Switch.tsx";
import css from "./FollowupsView.module.css";

/** Whose hours the allowed hours are. `zone` null is UTC; undefined while that is not known. */
export type AutomationPlace = {
  zone: string | null | undefined;
  /** The browser's time zone; null where that is UTC. */
  ownZone: string | null;
  /** ISO numbers, 1 is Monday. */
  weekdays: readonly number[];
  isUnread: boolean;
  /** Whether days and zone can be changed at all. */
  hasSettings: boolean;
  now: number;
  retry: () => void;
};

/** A server that tells neither zone nor days. */
const UTC_ALONE: AutomationPlace = {
  zone: undefined,
  ownZone: null,
  weekdays: [],
  isUnread: false,
  hasSettings: false,
  now: 0,
  retry: () => {},
};

export function AutomationForm({ place = UTC_ALONE }: { place?: AutomationPlace | undefined }) {
  return (
    <Card aria-labelledby="automation">
      <h2 id="automation" className={css["heading"]}>
        Automation
      </h2>
      <Settings place={place} />
    </Card>
  );
}

function Settings({ place }: { place: AutomationPlace }) {
  const isLoading = useAutomationSettings(selectAreSettingsLoading);
  const unread = useAutomationSettings(selectUnread);
  const { retryReading } = useAutomationSettingsEvents();
  if (isLoading) return <Skeleton height="14rem" />;
  return unread === null ? <SettingsFields place={place} /> : <NotRead what={unread} onRetry={retryReading} />;
}

function SettingsFields({ place }: { place: AutomationPlace }) {
  // Where it could not be read whose hours they are, nobody's are named.
  const zone = place.isUnread ? null : (place.zone ?? "UTC");
  const form = useAutomationSettings(selectSettingsForm);
  const saved = useAutomationSettings(selectSavedSettings);
  const problem = useAutomationSettings(selectSettingsProblem);
  const outdated = useAutomationSettings(selectOutdated);
  const isSaving = useAutomationSettings(selectAreSettingsSaving);
  const isEditable = useCanAutomationSettings({ type: "settings.change", change: {} });
  const canSave = useCanAutomationSettings({ type: "settings.save" });
  const isConflict = useAutomationSettings(selectIsSettingsConflict);
  const { changeSettings, chooseVersion, saveSettings, retryReading } = useAutomationSettingsEvents();

  const unsaved = inForce(form, saved, zone);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    saveSettings();
  };

  return (
    <form className={css["form"]} onSubmit={submit} noValidate>
      <Switch
        label="Automatic follow-ups"
        description="Each goes out when its delay is over, and never after a lead has answered."
        checked={form.isEnabled}
        disabled={!isEditable}
        onChange={(event) => changeSettings({ isEnabled: event.target.checked })}
      />
      {isConflict && (
        <Conflict
          isDisabled={!isEditable}
          onKeepMine={() => chooseVersion("mine")}
          onUseSaved={() => chooseVersion("saved")}
        >
          These settings were changed elsewhere. The saved version: automatic follow-ups{" "}
          {saved.isEnabled ? "on" : "off"}, from {saved.startHour} to {saved.endHour}. Choose which to keep, then save.
        </Conflict>
      )}
      {unsaved !== null && !isConflict && (
        <Banner
          tone="warn"
          actions={
            <Button type="submit" size="small" isPending={isSaving} disabled={!canSave && !isSaving}>
              Save now
            </Button>
          }
        >
          {unsaved}
        </Banner>
      )}
      <fieldset className={css["hours"]}>
        <legend className={css["legend"]}>Allowed hours{zone !== null && ` (${zone.replaceAll("_", " ")})`}</legend>
        <NumberField
          label="Start hour"
          min={0}
          max={23}
          step={1}
          value={form.startHour}
          readOnly={!isEditable}
          errorMessage={hourProblem(form.startHour)}
          onChange={(event) => changeSettings({ startHour: event.target.value })}
        />
        <NumberField
          label="End hour"
          min={0}
          max={23}
          step={1}
          value={form.endHour}
          readOnly={!isEditable}
          errorMessage={hourProblem(form.endHour)}
          onChange={(event) => changeSettings({ endHour: event.target.value })}
        />
      </fieldset>
      <p className={css["hint"]}>{describeWindow(form, zone)}</p>
      <Hours form={form} place={place} />
      {problem !== null && <Mark>{problem}</Mark>}
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retryReading} />}
      <Button type="submit" isPending={isSaving} disabled={!canSave && !isSaving}>
        Save Settings
      </Button>
    </form>
  );
}

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** The hours on the person's own clock, and the days, as far as they are known. */
function Hours({ form, place }: { form: SettingsForm; place: AutomationPlace }) {
  const { zone, ownZone, weekdays, isUnread, hasSettings, now, retry } = place;
  if (isUnread) return <NotRead what="the time zone and days" onRetry={retry} />;
  const here = zone === undefined || form.startHour === form.endHour ? null : hoursHere(form, zone ?? "UTC", now);
  const days = DAYS.filter((_, index) => weekdays.includes(index + 1));
  return (
    <>
      {here !== null && (
        <p className={css["hint"]}>
          Start: {here.start}. End: {here.end}.
        </p>
      )}
      {hasSettings && (
        <p className={css["hint"]}>
          {days.length === 7 ? "Every day." : `Only on ${days.join(", ")}.`}{" "}
          <Link href="/settings">
            {zone === null && ownZone !== null
              ? `Change to your time zone, ${ownZone.replaceAll("_", " ")}`
              : "Change days and time zone"}
          </Link>
        </p>
      )}
    </>
  );
}
