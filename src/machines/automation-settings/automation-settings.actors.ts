import { fromPromise } from "xstate";
import { failureOf } from "../../../domain/problem.ts";
import type { UserSettings, UserSettingsUpdate } from "../../../domain/settings.ts";
import { notProvided } from "../kit/not-provided.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

export type SettingsGateway = {
  read(signal: AbortSignal): Promise<UserSettings>;
  save(input: UserSettingsUpdate): Promise<void>;
};

export type AutomationSettingsDeps = WritingDeps & { settings: SettingsGateway };

export const SAVED = "Settings saved.";
export const NOT_SAVED = "The settings were not saved.";

export const placeholderActors = {
  fetchSettings: notProvided<UserSettings, void>("fetchSettings"),
  saveSettings: notProvided<void, UserSettingsUpdate>("saveSettings"),
};

export const createAutomationSettingsActors = ({ settings, ...page }: AutomationSettingsDeps) => ({
  fetchSettings: fromPromise<UserSettings, void>(({ signal }) => settings.read(signal)),
  saveSettings: writing<void, UserSettingsUpdate>(page, (input) => settings.save(input), {
    done: SAVED,
    failed: (error) => failureOf(error).message ?? NOT_SAVED,
  }),
});
