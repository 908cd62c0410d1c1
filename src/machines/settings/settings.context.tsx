import type { Version } from "../kit/conflict.ts";
import { createMachineContext } from "../kit/context.tsx";
import type { SettingsForm } from "./settings.form.ts";
import { settingsMachine } from "./settings.machine.ts";

const SettingsChart = createMachineContext(settingsMachine, (settings) => ({
  change: (change: Partial<SettingsForm>) => settings.send({ type: "settings.change", change }),
  chooseVersion: (version: Version) => settings.send({ type: "settings.choose", version }),
  save: () => settings.send({ type: "settings.save" }),
  retry: () => settings.send({ type: "reading.retry" }),
}));

export const SettingsProvider = SettingsChart.Provider;
export const useSettings = SettingsChart.use;
export const useCanSettings = SettingsChart.useCan;
/** What a person can do to the settings. */
export const useSettingsEvents = SettingsChart.useVerbs;
