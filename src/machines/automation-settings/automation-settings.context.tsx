import type { Version } from "../kit/conflict.ts";
import { createMachineContext } from "../kit/context.tsx";
import type { SettingsForm } from "./automation-settings.form.ts";
import { automationSettingsMachine } from "./automation-settings.machine.ts";

const AutomationSettings = createMachineContext(automationSettingsMachine, (settings) => ({
  changeSettings: (change: Partial<SettingsForm>) => settings.send({ type: "settings.change", change }),
  chooseVersion: (version: Version) => settings.send({ type: "settings.choose", version }),
  saveSettings: () => settings.send({ type: "settings.save" }),
  retryReading: () => settings.send({ type: "reading.retry" }),
}));

export const AutomationSettingsProvider = AutomationSettings.Provider;
export const useAutomationSettings = AutomationSettings.use;
/** What a person can do to the automation's settings. */
export const useAutomationSettingsEvents = AutomationSettings.useVerbs;
export const useCanAutomationSettings = AutomationSettings.useCan;
