import { createMachineContext } from "../kit/context.tsx";
import { notificationsMachine } from "./notifications.machine.ts";

const Notifications = createMachineContext(notificationsMachine, (notifications) => ({
  dismissToast: () => notifications.send({ type: "toast.dismiss" }),
  takeOffer: () => notifications.send({ type: "offer.accept" }),
  dismissOffer: () => notifications.send({ type: "offer.dismiss" }),
  /** The person is at the offer, with the pointer or the focus: its time stands still. */
  holdOffer: () => notifications.send({ type: "offer.hold" }),
  releaseOffer: () => notifications.send({ type: "offer.release" }),
  dismissWarning: () => notifications.send({ type: "warning.dismiss" }),
  answer: (isConfirmed: boolean) => notifications.send({ type: "question.answer", isConfirmed }),
}));

/** Hands the page's one notifications actor, which lives outside React, to the view over all screens. */
export const NotificationsProvider = Notifications.ActorProvider;
export const useNotifications = Notifications.use;
/** What a person can do about what the app says. */
export const useNotificationEvents = Notifications.useVerbs;
