import { useEffect } from "react";
import { useTranslate } from "#language";
import {
  NotificationsProvider,
  type NotificationsRef,
  selectIsHeadlineShown,
  selectOffer,
  selectOfferMessage,
  selectQuestion,
  selectToast,
  selectWarning,
  useNotificationEvents,
  useNotifications,
} from "../../machines/notifications/index.ts";
import { AlertDialog } from "../../ui/AlertDialog.tsx";
import { Toast, ToastRegion } from "../../ui/Toast.tsx";

/** The toasts and the question of the moment, over whatever screen is shown. */
export function NotificationsView({ notifications }: { notifications: NotificationsRef }) {
  return (
    <NotificationsProvider value={notifications}>
      <Toasts />
      <CurrentQuestion />
    </NotificationsProvider>
  );
}

function Toasts() {
  const translate = useTranslate();
  const toast = useNotifications(selectToast);
  const offer = useNotifications(selectOffer);
  const warning = useNotifications(selectWarning);
  const { dismissToast, takeOffer, dismissOffer, holdOffer, releaseOffer, dismissWarning } = useNotificationEvents();
  const offerMessage = useNotifications(selectOfferMessage);
  const isHeadline = useNotifications(selectIsHeadlineShown);
  const offered = offer !== null && {
    action: { label: translate(offer.label), onPress: takeOffer },
    onHold: holdOffer,
    onRelease: releaseOffer,
  };
  // A question over the page is answered first.
  const isOffered = useNotifications((now) => selectOffer(now) !== null && selectQuestion(now) === null);
  useEffect(() => {
    if (!isOffered) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isUndo(event) || isTyping(event.target)) return;
      event.preventDefault();
      takeOffer();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOffered, takeOffer]);
  return (
    <ToastRegion>
      <Toast
        announced="status"
        message={translate(toast)}
        onDismiss={isHeadline ? dismissOffer : dismissToast}
        {...(isHeadline && offered)}
      />
      <Toast
        announced="polite"
        message={translate(offerMessage)}
        onDismiss={dismissOffer}
        {...(!isHeadline && offered)}
      />
      {warning !== null && <Toast announced="alert" message={translate(warning)} onDismiss={dismissWarning} />}
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
  const question = useNotifications(selectQuestion);
  const { answer } = useNotificationEvents();
  const translate = useTranslate();
  if (question === null) return null;
  // A question and what there is to know about it are paragraphs of their own.
  const [message, ...rest] = translate(question.message).split("\n\n");
  return (
    <AlertDialog
      key={question.id}
      message={message}
      detail={rest.length === 0 ? undefined : rest.join("\n\n")}
      onConfirm={() => answer(true)}
      {...(question.kind === "confirm" ? { cancelLabel: "Cancel", onCancel: () => answer(false) } : {})}
    />
  );
}
