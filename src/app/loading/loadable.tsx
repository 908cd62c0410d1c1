import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react";
import type { UiText } from "../../../domain/ui-text.ts";
import { loadTexts } from "../../language/activate.ts";
import { createSignal } from "../../services/signal.ts";
import type { Verdict } from "../../services/updates.ts";
import { LoadError } from "../../ui/LoadError.tsx";
import type { Services } from "../services.ts";

export type Loaded<Props> =
  | { status: "absent" | "loading" }
  | { status: "failed"; error: unknown }
  | { status: "ready"; Component: ComponentType<Props> };

/** A component whose code loads on demand. Unlike React.lazy it shows no fallback once it is loaded. */
export type Loadable<Props> = {
  /** Loads the code and settles with it or its failure; the next call retries after a failure. */
  load: () => Promise<Loaded<Props>>;
  get: () => Loaded<Props>;
  subscribe: (listener: () => void) => () => void;
};

let loadingScreens = 0;
/** Returns whether a screen's code is loading: the screen itself handles that failure. */
export const isScreenLoading = (): boolean => loadingScreens > 0;

/** Makes a component load on demand; `isScreen` is false for a part of a screen. */
export function createLoadable<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { isScreen = false } = {},
): Loadable<Props> {
  const { notify, listen } = createSignal();
  let state: Loaded<Props> = { status: "absent" };
  let loading: Promise<Loaded<Props>> | null = null;
  const become = (next: Loaded<Props>) => {
    state = next;
    notify();
    return state;
  };
  const start = async () => {
    become({ status: "loading" });
    if (isScreen) loadingScreens += 1;
    try {
      return become({ status: "ready", Component: (await load()).default });
    } catch (error) {
      return become({ status: "failed", error });
    } finally {
      loading = null;
      if (isScreen) loadingScreens -= 1;
    }
  };
  return {
    load: async () => (state.status === "ready" ? state : (loading ??= start())),
    get: () => state,
    subscribe: listen,
  };
}

/** A component of the entry chunk in the shape of one that loads. */
export function createLoaded<Props>(Component: ComponentType<Props>): Loadable<Props> {
  const ready: Loaded<Props> = { status: "ready", Component };
  return { load: async () => ready, get: () => ready, subscribe: () => () => {} };
}

export const useLoadable = <Props,>({ subscribe, get }: Loadable<Props>): Loaded<Props> =>
  useSyncExternalStore(subscribe, get);

/** Loads code together with the texts of the part `inside`. */
export async function withTextsInside<Module>(load: () => Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([load(), loadTexts("inside")]);
  return module;
}

/** Makes a part of a screen that loads when it is first shown; `what` names it in the error, in the middle of a sentence. */
export function createPart<Props extends object>(
  what: UiText,
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const part = createLoadable(() => withTextsInside(load));
  return function Part(props: Props) {
    const state = useLoadable(part);
    useEffect(() => void part.load(), []);
    if (state.status === "failed") return <LoadError what={what} onRetry={() => void part.load()} />;
    return state.status === "ready" ? <state.Component {...props} /> : null;
  };
}

/** Returns why code that is needed did not load, once that is known; null before, and when nothing has failed. */
export function useLoadFailure<Props>(state: Loaded<Props>, { updates }: Services): Verdict | null {
  const [judged, setJudged] = useState<{ state: Loaded<Props>; verdict: Verdict } | null>(null);
  useEffect(() => {
    if (state.status !== "failed") return undefined;
    let isCurrent = true;
    void updates.recover(state.error).then((verdict) => {
      if (isCurrent) setJudged({ state, verdict });
    });
    return () => {
      isCurrent = false;
    };
  }, [state, updates]);
  return judged?.state === state ? judged.verdict : null;
}
