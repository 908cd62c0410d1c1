import { useEffect } from "react";
import { translate } from "#language";
import {
  Notifications,
  type NotificationsRef,
  selectIsHeadlineShown,
  selectOfferMessage,
  selectQuestion,
} from "../../machines/notifications/notifications.machine.ts";
import { AlertDialog } from "../../ui/AlertDialog.tsx";
import { Toast, ToastRegion } from "../../ui/Toast.tsx";

/** Toasts and the current dialog, over every screen. */
export function NotificationsView({ notifications }: { notifications: NotificationsRef }) {
  return (
    <Notifications.ActorProvider value={notifications}>
      <Toasts />
      <CurrentQuestion />
    </Notifications.ActorProvider>
  );
}

function Toasts() {
  const toast = Notifications.useSelector(({ context }) => context.toast);
  const offer = Notifications.useSelector(({ context }) => context.offer);
  const warning = Notifications.useSelector(({ context }) => context.warning);
  const send = Notifications.useSend();
  const offerMessage = Notifications.useSelector(selectOfferMessage);
  const isHeadline = Notifications.useSelector(selectIsHeadlineShown);
  const offered = offer !== null && {
    action: { label: translate(offer.label), onPress: () => send({ type: "offer.accept" }) },
    // The pointer or the focus is on the offer: its timer is paused.
    onHold: () => send({ type: "offer.hold" }),
    onRelease: () => send({ type: "offer.release" }),
  };
  // A dialog comes before Undo.
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

/** Matches by letter, or by position on layouts without Latin letters. */
const isUndo = ({ ctrlKey, metaKey, shiftKey, altKey, key, code }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !shiftKey && !altKey && (/^[a-z]$/i.test(key) ? /z/i.test(key) : code === "KeyZ");

/** Text fields have their own undo. */
const isTyping = (target: EventTarget | null) =>
  target instanceof Element &&
  target.matches("textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=button], [type=submit])");

function CurrentQuestion() {
  const question = Notifications.useSelector(selectQuestion);
  const send = Notifications.useSend();
  const answer = (isConfirmed: boolean) => send({ type: "question.answer", isConfirmed });
  if (question === null) return null;
  // The question and its details are separate paragraphs.
  const [message, ...rest] = translate(question.message).split("\n\n");
  return (
    <AlertDialog
      key={question.id}
      message={message}
      detail={rest.length === 0 ? undefined : rest.join("\n\n")}
      onConfirm={() => answer(true)}
      onCancel={question.kind === "confirm" ? () => answer(false) : undefined}
    />
  );
}
