import { type ActorOptions, createActor } from "xstate";
import { type NotificationsRef, notificationsMachine } from "./notifications.machine.ts";

/** How machines speak to the person. `alert` and `confirm` settle when the dialog is answered. */
export type Notifier = {
  toast: (message: string) => void;
  alert: (message: string) => Promise<void>;
  confirm: (message: string) => Promise<boolean>;
};

/** Starts the notifications actor (outside React, one for the page) and the notifier that speaks to it. */
export function createNotifier(options?: ActorOptions<typeof notificationsMachine>): {
  notifier: Notifier;
  notifications: NotificationsRef;
} {
  const askers = new Map<number, (isConfirmed: boolean) => void>();
  const notifications = createActor(
    notificationsMachine.provide({
      actions: {
        deliverAnswer: (_, { id, isConfirmed }) => {
          if (id === undefined) return;
          askers.get(id)?.(isConfirmed);
          askers.delete(id);
        },
      },
    }),
    options,
  ).start();

  let lastId = 0;
  const ask = (kind: "alert" | "confirm", message: string) =>
    new Promise<boolean>((resolve) => {
      lastId += 1;
      askers.set(lastId, resolve);
      notifications.send({ type: "question.ask", question: { id: lastId, kind, message } });
    });

  return {
    notifications,
    notifier: {
      toast: (message) => notifications.send({ type: "toast.show", message }),
      alert: async (message) => void (await ask("alert", message)),
      confirm: (message) => ask("confirm", message),
    },
  };
}
