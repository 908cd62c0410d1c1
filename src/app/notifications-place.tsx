import {
  type CSSProperties,
  type ComponentProps,
  type ComponentType,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { i18n } from "@lingui/core";
import { type UiTextOrString, useTranslate } from "#language";
import { translate } from "../../domain/ui-text.ts";
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

/** Asks what waits for an answer in the browser's own words: nobody would see it otherwise, and nothing could go on. */
function askPlainly(notifications: NotificationsRef) {
  const question = selectQuestion(notifications.getSnapshot());
  if (question === null) return;
  const { kind } = question;
  const message = translate(question.message, i18n);
  // oxlint-disable-next-line no-alert -- the page's own dialog is what is missing
  const isConfirmed = kind === "confirm" ? window.confirm(message) : (window.alert(message), true);
  notifications.send({ type: "question.answer", isConfirmed });
}

const toastsOf = (snapshot: NotificationsSnapshot, translateText: (text: UiTextOrString) => string) =>
  [snapshot.context.warning, selectOfferMessage(snapshot), snapshot.context.toast]
    .filter((text) => text !== null)
    .map(translateText)
    .join(" ");

/** What is said, in plain words: the step back that some of it offers needs the code that is missing. */
function PlainToast({ notifications }: Props) {
  const translateText = useTranslate();
  const text = useSyncExternalStore(
    (listener) => {
      const listening = notifications.subscribe(listener);
      return () => listening.unsubscribe();
    },
    () => toastsOf(notifications.getSnapshot(), translateText),
  );
  return (
    <p role="status" style={PLAIN_PLACE}>
      {text}
    </p>
  );
}

/**
 * Where the page speaks over its screens. Its code comes when the first screen has had its time, or with the first word, and
 * is asked for again until it has come; what is said and asked meanwhile is said and asked without it.
 */
export function createNotificationsPlace(load: () => Promise<{ default: ComponentType<Props> }>): ComponentType<Props> {
  const view = createLoadable<Props>(load);
  return function Place({ notifications }) {
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

export const NotificationsPlace = createNotificationsPlace(async () => ({
  default: (await import("../views/notifications/NotificationsView.tsx")).NotificationsView,
}));
