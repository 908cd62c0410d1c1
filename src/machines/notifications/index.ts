export type { Notifier } from "../kit/speaking.ts";
export { NotificationsProvider, useNotificationEvents, useNotifications } from "./notifications.context.tsx";
export { type NotificationsRef, type NotificationsSnapshot, notificationsMachine } from "./notifications.machine.ts";
export * from "./notifications.selectors.ts";
export { createNotifier } from "./notifier.ts";
