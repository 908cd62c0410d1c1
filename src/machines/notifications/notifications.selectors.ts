import type { NotificationsSnapshot } from "./notifications.machine.ts";

export const selectToast = (snapshot: NotificationsSnapshot) =>
  snapshot.matches({ toast: "visible" }) ? snapshot.context.toast : null;

export const selectQuestion = (snapshot: NotificationsSnapshot) => snapshot.context.questions[0] ?? null;
