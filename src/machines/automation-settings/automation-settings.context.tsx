import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import type { SettingsForm } from "./automation-settings.form.ts";
import { automationSettingsMachine } from "./automation-settings.machine.ts";

const AutomationSettings = createActorContext(automationSettingsMachine);

export const AutomationSettingsProvider = AutomationSettings.Provider;
export const useAutomationSettings = AutomationSettings.useSelector;

/** What a person can do to the automation's settings. */
export function useAutomationSettingsEvents() {
  const settings = AutomationSettings.useActorRef();
  return useMemo(
    () => ({
      changeSettings: (change: Partial<SettingsForm>) => settings.send({ type: "settings.change", change }),
      saveSettings: () => settings.send({ type: "settings.save" }),
    }),
    [settings],
  );
}
