import { shallowEqual, useSelector } from "@xstate/react";
import { type CSSProperties, type ComponentProps, type ComponentType, useEffect, useState } from "react";
import { translate } from "#language";
import {
  type NotificationsRef,
  type NotificationsSnapshot,
  selectIsSpeaking,
  selectOfferMessage,
  selectQuestion,
} from "../machines/notifications/notifications.machine.ts";
import type { NotificationsView } from "../views/notifications/NotificationsView.tsx";
import { createLoadable, useLoadable } from "./loading/loadable.tsx";
import { whenIdle } from "./loading/prefetch.ts";

type Props = ComponentProps<typeof NotificationsView>;

const PLAIN_PLACE: CSSProperties = {
  position: "fixed",
  insetBlockStart: 0,
  insetInlineEnd: 0,
  zIndex: 60,
  background: "Canvas",
  color: "CanvasText",
};

/** Asks pending questions with the browser's own dialog: without it the actors that wait for an answer would hang. */
function askPlainly(notifications: NotificationsRef) {
  const question = selectQuestion(notifications.getSnapshot());
  if (question === null) return;
  const { kind } = question;
  const message = translate(question.message);
  // oxlint-disable-next-line no-alert -- the page's own dialog did not load
  const isConfirmed = kind === "confirm" ? window.confirm(message) : (window.alert(message), true);
  notifications.send({ type: "question.answer", isConfirmed });
}

const selectToasts = (snapshot: NotificationsSnapshot) =>
  [snapshot.context.warning, selectOfferMessage(snapshot), snapshot.context.toast].filter((text) => text !== null);

/** Shows messages as plain text, without Undo, which needs the code that did not load. */
function PlainToast({ notifications }: Props) {
  const toasts = useSelector(notifications, selectToasts, shallowEqual);
  return (
    <p role="status" style={PLAIN_PLACE}>
      {toasts.map((text) => translate(text)).join(" ")}
    </p>
  );
}

/**
 * Toasts and dialogs over every screen. Their code loads after the first screen or at the first message, and is requested again until
 * it arrives. Until then messages and questions use plain fallbacks.
 */
export function createNotificationsContainer(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const view = createLoadable<Props>(load);
  return function Container({ notifications }) {
    const state = useLoadable(view);
    const hasFailed = state.status === "failed";
    const [isPlain, setIsPlain] = useState(hasFailed);
    if (hasFailed && !isPlain) setIsPlain(true);
    useEffect(() => {
      const loadIfSpeaking = () => {
        if (!selectIsSpeaking(notifications.getSnapshot())) return;
        void view.load().then(({ status }) => {
          if (status === "failed") askPlainly(notifications);
        });
      };
      if (!hasFailed) loadIfSpeaking();
      const listening = notifications.subscribe(loadIfSpeaking);
      const cancel = whenIdle(() => void view.load());
      return () => {
        listening.unsubscribe();
        cancel();
      };
    }, [notifications, hasFailed]);
    if (state.status === "ready") return <state.Component notifications={notifications} />;
    return isPlain ? <PlainToast notifications={notifications} /> : null;
  };
}

export const NotificationsContainer = createNotificationsContainer(async () => ({
  default: (await import("../views/notifications/NotificationsView.tsx")).NotificationsView,
}));
