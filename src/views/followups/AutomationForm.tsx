import type { FormEvent } from "react";
import {
  describeWindow,
  hourProblem,
  selectAreSettingsLoading,
  selectAreSettingsSaving,
  selectSettingsForm,
  selectSettingsProblem,
  useAutomationSettings,
  useAutomationSettingsEvents,
  useCanAutomationSettings,
} from "../../machines/automation-settings/index.ts";
import { selectOutdated, selectUnread } from "../../machines/kit/reading.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Switch } from "../../ui/Switch.tsx";
import css from "./FollowupsView.module.css";

export function AutomationForm() {
  return (
    <Card aria-labelledby="automation">
      <h2 id="automation" className={css["heading"]}>
        Automation
      </h2>
      <Settings />
    </Card>
  );
}

function Settings() {
  const isLoading = useAutomationSettings(selectAreSettingsLoading);
  const unread = useAutomationSettings(selectUnread);
  const { retryReading } = useAutomationSettingsEvents();
  if (isLoading) return <Skeleton height="14rem" />;
  return unread === null ? <SettingsFields /> : <NotRead what={unread} onRetry={retryReading} />;
}

function SettingsFields() {
  const form = useAutomationSettings(selectSettingsForm);
  const problem = useAutomationSettings(selectSettingsProblem);
  const outdated = useAutomationSettings(selectOutdated);
  const isSaving = useAutomationSettings(selectAreSettingsSaving);
  const isEditable = useCanAutomationSettings({ type: "settings.change", change: {} });
  const canSave = useCanAutomationSettings({ type: "settings.save" });
  const { changeSettings, saveSettings, retryReading } = useAutomationSettingsEvents();

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
      <fieldset className={css["hours"]}>
        <legend className={css["legend"]}>Allowed hours (UTC)</legend>
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
      <p className={css["hint"]}>{describeWindow(form)}</p>
      {problem !== null && <Mark>{problem}</Mark>}
      {outdated !== null && <NotRead what={outdated} isOutdated onRetry={retryReading} />}
      <Button type="submit" isPending={isSaving} disabled={!canSave && !isSaving}>
        Save Settings
      </Button>
    </form>
  );
}
