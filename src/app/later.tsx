import { type ComponentType, useEffect, useSyncExternalStore } from "react";
import { NotRead } from "../ui/NotRead.tsx";
import { createLoader } from "./screen-loader.ts";

/** A part of a screen whose code comes when it is first shown; `what` is what is missing when that fails, in the middle of a sentence. */
export function createLater<Props extends object>(
  what: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const loader = createLoader<Props>(load, { isScreen: false });
  return function Later(props: Props) {
    const state = useSyncExternalStore(loader.subscribe, loader.get);
    useEffect(() => void loader.load(), []);
    if (state.status === "failed") return <NotRead what={what} onRetry={() => void loader.load()} />;
    return state.status === "ready" ? <state.Component {...props} /> : null;
  };
}
