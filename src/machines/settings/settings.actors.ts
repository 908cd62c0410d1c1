import { fromPromise } from "xstate";
import type { Settings, SettingsPatch } from "../../../domain/settings.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import type { FailureText } from "../kit/failed.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

export type SettingsGateway = {
  read(signal: AbortSignal): Promise<Settings>;
  /** Changes what is given; resolves to what holds from now on. */
  save(input: SettingsPatch): Promise<Settings>;
};

export type SettingsDeps = WritingDeps & {
  settings: SettingsGateway;
  /** Tells when the page comes back: what it shows may be old. */
  onReturn: (listener: () => void) => () => void;
};

export const SAVED = "Settings saved.";
export const SAVE_FAILED: FailureText = {
  refused: "The settings were not saved. Try again.",
  unknown: "The settings may have been saved. What you typed is kept: try again.",
};

export const placeholderActors = {
  fetchSettings: notProvided<Settings, void>("fetchSettings"),
  saveSettings: notProvided<Settings, SettingsPatch>("saveSettings"),
  watchReturns: unwatched,
};

export const createSettingsActors = ({ settings, onReturn, ...page }: SettingsDeps): typeof placeholderActors => ({
  fetchSettings: fromPromise(({ signal }) => settings.read(signal)),
  saveSettings: writing<Settings, SettingsPatch>(page, (input) => settings.save(input), {
    done: SAVED,
    failed: SAVE_FAILED,
  }),
  watchReturns: watchingReturns(onReturn),
});
