import { type ComponentProps, type ComponentType, useEffect, useSyncExternalStore } from "react";
import { type NotificationsRef, selectIsSpeaking, selectQuestion } from "../machines/notifications/index.ts";
import type { NotificationsView } from "../views/notifications/NotificationsView.tsx";
import { createLoader } from "./screen-loader.ts";

type Props = ComponentProps<typeof NotificationsView>;

/** The first screen's own code and calls come first. */
const AHEAD_AFTER_MS = 1_000;
const AGAIN_AFTER_MS = 5_000;

/** Asks what waits for an answer in the browser's own words: nobody would see it otherwise, and nothing could go on. */
function askPlainly(notifications: NotificationsRef) {
  const question = selectQuestion(notifications.getSnapshot());
  if (question === null) return;
  const { kind, message } = question;
  // oxlint-disable-next-line no-alert -- the page's own dialog is what is missing
  const isConfirmed = kind === "confirm" ? window.confirm(message) : (window.alert(message), true);
  notifications.send({ type: "question.answer", isConfirmed });
}

/**
 * Where the page speaks over its screens. Its code comes when the first screen has had its time, or with the first word, and
 * is asked for again until it has come; questions are asked without it meanwhile.
 */
export function createNotificationsPlace(load: () => Promise<{ default: ComponentType<Props> }>): ComponentType<Props> {
  const view = createLoader<Props>(load, { isScreen: false });
  return function Place({ notifications }) {
    const state = useSyncExternalStore(view.subscribe, view.get);
    const hasFailed = state.status === "failed";
    useEffect(() => {
      const loadIfSpeaking = () => {
        if (!selectIsSpeaking(notifications.getSnapshot())) return;
        void view.load().then(() => {
          if (view.get().status === "failed") askPlainly(notifications);
        });
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
  };
}

export const NotificationsPlace = createNotificationsPlace(async () => ({
  default: (await import("../views/notifications/NotificationsView.tsx")).NotificationsView,
}));
