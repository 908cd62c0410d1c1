import { createSignal } from "./signal.ts";
import type { SafeStorage } from "./storage.ts";

export type Theme = "system" | "light" | "dark";
const THEMES: readonly Theme[] = ["system", "light", "dark"];

const THEME_KEY = "leadloom_theme";

/** The chosen theme, stored and applied to the page's root; `system` follows the device. */
export function createThemeStore(storage: SafeStorage, root: HTMLElement) {
  const { notify, listen } = createSignal();
  let theme: Theme = THEMES.find((known) => known === storage.get(THEME_KEY)) ?? "system";
  const paint = () => {
    if (theme === "system") delete root.dataset["theme"];
    else root.dataset["theme"] = theme;
  };
  paint();
  return {
    get: () => theme,
    set(next: Theme) {
      theme = next;
      storage.set(THEME_KEY, next);
      paint();
      notify();
    },
    subscribe: listen,
  };
}
