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
  selectToast,
  selectWarning,
} from "../machines/notifications/index.ts";
import type { NotificationsView } from "../views/notifications/NotificationsView.tsx";
import { createLoader } from "./screen-loader.ts";
import { SETTLED_AFTER_MS } from "./settled.ts";

type Props = ComponentProps<typeof NotificationsView>;

const AGAIN_AFTER_MS = 5_000;

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
  [selectWarning(snapshot), selectOfferMessage(snapshot), selectToast(snapshot)]
    .filter((text) => text !== null)
    .map(translateText)
    .join(" ");

/** What is said, in plain words: the step back that some of it offers needs the code that is missing. */
function PlainWords({ notifications }: Props) {
  const translateText = useTranslate();
  const words = useSyncExternalStore(
    (listener) => {
      const listening = notifications.subscribe(listener);
      return () => listening.unsubscribe();
    },
    () => toastsOf(notifications.getSnapshot(), translateText),
  );
  return (
    <p role="status" style={PLAIN_PLACE}>
      {words}
    </p>
  );
}

/**
 * Where the page speaks over its screens. Its code comes when the first screen has had its time, or with the first word, and
 * is asked for again until it has come; what is said and asked meanwhile is said and asked without it.
 */
export function createNotificationsPlace(load: () => Promise<{ default: ComponentType<Props> }>): ComponentType<Props> {
  const view = createLoader<Props>(load, { isScreen: false });
  return function Place({ notifications }) {
    const state = useSyncExternalStore(view.subscribe, view.get);
    const hasFailed = state.status === "failed";
    const [isPlain, setIsPlain] = useState(hasFailed);
    if (hasFailed && !isPlain) setIsPlain(true);
    useEffect(() => {
      const loadIfSpeaking = () => {
        if (!selectIsSpeaking(notifications.getSnapshot())) return;
        void view.load().then(() => {
          if (view.get().status === "failed") askPlainly(notifications);
        });
      };
      if (!hasFailed) loadIfSpeaking();
      const listening = notifications.subscribe(loadIfSpeaking);
      const timer = setTimeout(() => void view.loadAhead(), hasFailed ? AGAIN_AFTER_MS : SETTLED_AFTER_MS);
      return () => {
        listening.unsubscribe();
        clearTimeout(timer);
      };
    }, [notifications, hasFailed]);
    if (state.status === "ready") return <state.Component notifications={notifications} />;
    return isPlain ? <PlainWords notifications={notifications} /> : null;
  };
}

export const NotificationsPlace = createNotificationsPlace(async () => ({
  default: (await import("../views/notifications/NotificationsView.tsx")).NotificationsView,
}));
