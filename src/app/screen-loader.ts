import type { ComponentType } from "react";
import type { Services } from "./services.ts";

export type Loaded<Props> =
  | { status: "absent" | "loading" }
  | { status: "failed"; error: unknown }
  | { status: "ready"; Component: Loadable<Props> };

/** `firstReads` gives the addresses that the component reads as soon as it is there, to the letter. */
export type Loadable<Props> = ComponentType<Props> & { firstReads?: (props: Props) => readonly string[] };

/** A component whose code comes when it is wanted. Unlike React.lazy it never shows a fallback once it is loaded. */
export type Loader<Props> = {
  load: () => Promise<void>;
  /** The same ahead of need: a failure is nobody's yet. */
  loadAhead: () => Promise<void>;
  get: () => Loaded<Props>;
  subscribe: (listener: () => void) => () => void;
};

export type ScreenProps = { services: Services };

let underWay = 0;
/** Whether a screen's code is under way: whoever shows it judges a failure, and ahead of need it is nobody's. */
export const isScreenUnderWay = (): boolean => underWay > 0;

/**
 * Loads the module once; a failed load is tried again by the next `load()`. `isScreen` is false for a part of a screen, whose
 * failure nobody judges who shows it.
 */
export function createLoader<Props>(
  load: () => Promise<{ default: Loadable<Props> }>,
  { isScreen = true } = {},
): Loader<Props> {
  const listeners = new Set<() => void>();
  let state: Loaded<Props> = { status: "absent" };
  let loading: Promise<void> | null = null;
  const become = (next: Loaded<Props>) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const start = () => {
    if (state.status === "ready") return Promise.resolve();
    if (loading === null) {
      become({ status: "loading" });
      if (isScreen) underWay += 1;
      loading = load()
        .then(
          (module) => become({ status: "ready", Component: module.default }),
          (error: unknown) => become({ status: "failed", error }),
        )
        .finally(() => {
          loading = null;
          if (isScreen) underWay -= 1;
        });
    }
    return loading;
  };
  return {
    load: start,
    loadAhead: start,
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A component that is part of the first bundle. */
export function presentLoader<Props>(Component: ComponentType<Props>): Loader<Props> {
  const ready: Loaded<Props> = { status: "ready", Component };
  const present = () => Promise.resolve();
  return { load: present, loadAhead: present, get: () => ready, subscribe: () => () => {} };
}
