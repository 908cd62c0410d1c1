import { type NotificationsSnapshot, isHeadlineShown } from "./notifications.machine.ts";

export const selectToast = (snapshot: NotificationsSnapshot) => snapshot.context.toast;
export const selectOffer = (snapshot: NotificationsSnapshot) => snapshot.context.offer;
/** The headline's toast carries the offer's undo. */
export const selectIsHeadlineShown = (snapshot: NotificationsSnapshot) => isHeadlineShown(snapshot.context);
/** What the offer's own toast says; null while there is none. */
export const selectOfferMessage = ({ context }: NotificationsSnapshot) =>
  isHeadlineShown(context) ? null : (context.offer?.message ?? null);
export const selectWarning = (snapshot: NotificationsSnapshot) => snapshot.context.warning;
export const selectQuestion = (snapshot: NotificationsSnapshot) => snapshot.context.questions[0] ?? null;
/** Whether anything is said or asked at this moment. */
export const selectIsSpeaking = ({ context: { toast, offer, warning, questions } }: NotificationsSnapshot): boolean =>
  toast !== null || offer !== null || warning !== null || questions.length > 0;
