import { type ComponentProps, useEffect, useSyncExternalStore } from "react";
import { type NotificationsRef, selectIsSpeaking } from "../machines/notifications/index.ts";
import type { NotificationsView } from "../views/notifications/NotificationsView.tsx";
import { createLoader } from "./screen-loader.ts";

const view = createLoader<ComponentProps<typeof NotificationsView>>(
  async () => ({ default: (await import("../views/notifications/NotificationsView.tsx")).NotificationsView }),
  { isScreen: false },
);

/** The first screen's own code and calls come first. */
const AHEAD_AFTER_MS = 1_000;
const AGAIN_AFTER_MS = 5_000;

/**
 * Where the page speaks over its screens. Its code comes when the first screen has had its time, or with the first word, and
 * is asked for again until it has come.
 */
export function NotificationsPlace({ notifications }: { notifications: NotificationsRef }) {
  const state = useSyncExternalStore(view.subscribe, view.get);
  const hasFailed = state.status === "failed";
  useEffect(() => {
    const loadIfSpeaking = () => {
      if (selectIsSpeaking(notifications.getSnapshot())) void view.load();
    };
    if (!hasFailed) loadIfSpeaking();
    const listening = notifications.subscribe(loadIfSpeaking);
    const timer = setTimeout(() => void view.loadAhead(), hasFailed ? AGAIN_AFTER_MS : AHEAD_AFTER_MS);
    return () => {
      listening.unsubscribe();
      clearTimeout(timer);
    };
  }, [notifications, hasFailed]);
  return state.status === "ready" ? <state.Component notifications={notifications} /> : null;
}
