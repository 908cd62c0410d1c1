import { fromPromise } from "xstate";
import type { UserSettings, UserSettingsUpdate } from "../../../domain/settings.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import type { FailureText } from "../kit/failed.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

export type SettingsGateway = {
  read(signal: AbortSignal): Promise<UserSettings>;
  save(input: UserSettingsUpdate): Promise<void>;
};

export type AutomationSettingsDeps = WritingDeps & {
  settings: SettingsGateway;
  /** Tells when the page comes back: what it shows may be old. */
  onReturn: (listener: () => void) => () => void;
};

export const SAVED = "Settings saved.";
export const SAVE_FAILED: FailureText = {
  refused: "The settings were not saved.",
  unknown: "The settings may have been saved.",
};

export const placeholderActors = {
  fetchSettings: notProvided<UserSettings, void>("fetchSettings"),
  saveSettings: notProvided<void, UserSettingsUpdate>("saveSettings"),
  watchReturns: unwatched,
};

export const createAutomationSettingsActors = ({ settings, onReturn, ...page }: AutomationSettingsDeps) => ({
  fetchSettings: fromPromise<UserSettings, void>(({ signal }) => settings.read(signal)),
  saveSettings: writing<void, UserSettingsUpdate>(page, (input) => settings.save(input), {
    done: SAVED,
    failed: SAVE_FAILED,
  }),
  watchReturns: watchingReturns(onReturn),
});
