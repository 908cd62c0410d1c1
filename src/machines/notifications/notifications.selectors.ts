import type { NotificationsSnapshot } from "./notifications.machine.ts";

export const selectToast = (snapshot: NotificationsSnapshot) => snapshot.context.toast;
export const selectOffer = (snapshot: NotificationsSnapshot) => snapshot.context.offer;
export const selectWarning = (snapshot: NotificationsSnapshot) => snapshot.context.warning;
export const selectQuestion = (snapshot: NotificationsSnapshot) => snapshot.context.questions[0] ?? null;
