import { fromPromise } from "xstate";
import type { UserSettings, UserSettingsUpdate } from "../../../domain/settings.ts";

export type SettingsGateway = {
  read(signal: AbortSignal): Promise<UserSettings>;
  save(input: UserSettingsUpdate, signal: AbortSignal): Promise<void>;
};

export type AutomationSettingsDeps = {
  settings: SettingsGateway;
  notifier: { toast(message: string): void };
  logger: { warn(what: string, error: unknown): void };
};

const notProvided = (name: string) => () => Promise.reject(new Error(`${name} must be provided`));

export const placeholderActors = {
  fetchSettings: fromPromise<UserSettings>(notProvided("fetchSettings")),
  saveSettings: fromPromise<void, UserSettingsUpdate>(notProvided("saveSettings")),
};

export const createAutomationSettingsActors = ({ settings }: AutomationSettingsDeps) => ({
  fetchSettings: fromPromise<UserSettings>(({ signal }) => settings.read(signal)),
  saveSettings: fromPromise<void, UserSettingsUpdate>(({ input, signal }) => settings.save(input, signal)),
});
