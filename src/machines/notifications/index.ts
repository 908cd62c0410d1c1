export { useNotificationEvents, useNotifications } from "./notifications.context.tsx";
export { type NotificationsRef, type Question, notificationsMachine } from "./notifications.machine.ts";
export { selectQuestion, selectToast } from "./notifications.selectors.ts";
export { type Notifier, createNotifier } from "./notifier.ts";
