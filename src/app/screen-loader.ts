import type { ComponentType } from "react";
import type { Services } from "./services.ts";

export type ScreenComponent = ComponentType<{ services: Services }>;
type ScreenModule = { default: ScreenComponent };

export type ScreenState =
  | { status: "absent" | "loading" }
  | { status: "failed"; error: unknown }
  | { status: "ready"; Component: ScreenComponent };

/** A screen whose code comes when it is wanted. Unlike React.lazy it never shows a fallback once it is loaded. */
export type ScreenLoader = {
  load: () => Promise<void>;
  get: () => ScreenState;
  subscribe: (listener: () => void) => () => void;
};

/** Loads the module once; a failed load is tried again by the next `load()`. */
export function createScreenLoader(load: () => Promise<ScreenModule>): ScreenLoader {
  const listeners = new Set<() => void>();
  let state: ScreenState = { status: "absent" };
  let loading: Promise<void> | null = null;
  const become = (next: ScreenState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  return {
    load() {
      if (state.status === "ready") return Promise.resolve();
      if (loading === null) {
        become({ status: "loading" });
        loading = load()
          .then(
            (module) => become({ status: "ready", Component: module.default }),
            (error: unknown) => become({ status: "failed", error }),
          )
          .finally(() => {
            loading = null;
          });
      }
      return loading;
    },
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A screen that is part of the first bundle. */
export const presentScreen = (Component: ScreenComponent): ScreenLoader => ({
  load: () => Promise.resolve(),
  get: () => ({ status: "ready", Component }),
  subscribe: () => () => {},
});
