import { t } from "@lingui/core/macro";
import { useEffect } from "react";
import { useTranslate } from "#language";
import {
  Notifications,
  type NotificationsRef,
  selectIsHeadlineShown,
  selectOfferMessage,
  selectQuestion,
} from "../../machines/notifications/notifications.machine.ts";
import { AlertDialog } from "../../ui/AlertDialog.tsx";
import { Toast, ToastRegion } from "../../ui/Toast.tsx";

/** The toasts and the question of the moment, over whatever screen is shown. */
export function NotificationsView({ notifications }: { notifications: NotificationsRef }) {
  return (
    <Notifications.ActorProvider value={notifications}>
      <Toasts />
      <CurrentQuestion />
    </Notifications.ActorProvider>
  );
}

function Toasts() {
  const translate = useTranslate();
  const toast = Notifications.useSelector(({ context }) => context.toast);
  const offer = Notifications.useSelector(({ context }) => context.offer);
  const warning = Notifications.useSelector(({ context }) => context.warning);
  const send = Notifications.useSend();
  const offerMessage = Notifications.useSelector(selectOfferMessage);
  const isHeadline = Notifications.useSelector(selectIsHeadlineShown);
  const offered = offer !== null && {
    action: { label: translate(offer.label), onPress: () => send({ type: "offer.accept" }) },
    // At the offer, with the pointer or the focus: its time stands still.
    onHold: () => send({ type: "offer.hold" }),
    onRelease: () => send({ type: "offer.release" }),
  };
  // A question over the page is answered first.
  const isOffered = Notifications.useSelector((now) => now.context.offer !== null && selectQuestion(now) === null);
  useEffect(() => {
    if (!isOffered) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isUndo(event) || isTyping(event.target)) return;
      event.preventDefault();
      send({ type: "offer.accept" });
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOffered, send]);
  return (
    <ToastRegion>
      <Toast
        announced="status"
        message={translate(toast)}
        onDismiss={() => send({ type: isHeadline ? "offer.dismiss" : "toast.dismiss" })}
        {...(isHeadline && offered)}
      />
      <Toast
        announced="polite"
        message={translate(offerMessage)}
        onDismiss={() => send({ type: "offer.dismiss" })}
        {...(!isHeadline && offered)}
      />
      {warning !== null && (
        <Toast announced="alert" message={translate(warning)} onDismiss={() => send({ type: "warning.dismiss" })} />
      )}
    </ToastRegion>
  );
}

/** By its letter, or, where the layout has no such letters, by its place. */
const isUndo = ({ ctrlKey, metaKey, shiftKey, altKey, key, code }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !shiftKey && !altKey && (/^[a-z]$/i.test(key) ? /z/i.test(key) : code === "KeyZ");

/** What is typed in has a step back of its own. */
const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.matches("textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=button], [type=submit])");

function CurrentQuestion() {
  const question = Notifications.useSelector(selectQuestion);
  const send = Notifications.useSend();
  const translate = useTranslate();
  const answer = (isConfirmed: boolean) => send({ type: "question.answer", isConfirmed });
  if (question === null) return null;
  // A question and what there is to know about it are paragraphs of their own.
  const [message, ...rest] = translate(question.message).split("\n\n");
  return (
    <AlertDialog
      key={question.id}
      message={message}
      detail={rest.length === 0 ? undefined : rest.join("\n\n")}
      onConfirm={() => answer(true)}
      {...(question.kind === "confirm" ? { cancelLabel: t`Cancel`, onCancel: () => answer(false) } : {})}
    />
  );
}
