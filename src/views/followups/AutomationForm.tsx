import type { FormEvent } from "react";
import {
  describeWindow,
  hourProblem,
  selectAreSettingsEditable,
  selectAreSettingsSaving,
  selectSettingsForm,
  useAutomationSettings,
  useAutomationSettingsEvents,
} from "../../machines/automation-settings/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import { Switch } from "../../ui/Switch.tsx";
import css from "./FollowupsView.module.css";

export function AutomationForm() {
  const form = useAutomationSettings(selectSettingsForm);
  const isEditable = useAutomationSettings(selectAreSettingsEditable);
  const isSaving = useAutomationSettings(selectAreSettingsSaving);
  const { changeSettings, saveSettings } = useAutomationSettingsEvents();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    saveSettings();
  };

  return (
    <Card aria-labelledby="automation">
      <h2 id="automation" className={css["heading"]}>
        Automation
      </h2>
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
        <Button type="submit" isPending={isSaving}>
          Save Settings
        </Button>
      </form>
    </Card>
  );
}
