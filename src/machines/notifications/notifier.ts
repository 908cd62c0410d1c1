import { type ActorOptions, createActor } from "xstate";
import { UNDO_ACTS_MS } from "../../../domain/limits.ts";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Notifier } from "../kit/page.ts";
import { type NotificationsRef, type Question, createNotifications } from "./notifications.machine.ts";

/** How long Undo is offered by default: long enough to read and to reach. */
const OFFER_MS = 10_000;

/** Starts the notifications actor (outside React, one per page) and returns its notifier. */
export function createNotifier(options?: ActorOptions<ReturnType<typeof createNotifications>>): {
  notifier: Notifier;
  notifications: NotificationsRef;
} {
  const askers = new Map<number, (isConfirmed: boolean) => void>();
  // Only the visible offer can be undone: a newer one replaces it.
  let stepBack: { id: number; onPress: () => void } | null = null;
  const logic = createNotifications({
    deliverAnswer: (id, isConfirmed) => settle(id, isConfirmed),
    takeOffer: (id) => {
      if (stepBack?.id === id) stepBack.onPress();
    },
  });
  const notifications = createActor(logic, options).start();

  let lastId = 0;
  function settle(id: number, isConfirmed: boolean) {
    askers.get(id)?.(isConfirmed);
    askers.delete(id);
  }
  const ask = (kind: Question["kind"], message: UiTextOrString, signal: AbortSignal | undefined) =>
    new Promise<boolean>((resolve) => {
      if (signal?.aborted) {
        resolve(false);
        return;
      }
      lastId += 1;
      const id = lastId;
      const withdraw = () => {
        notifications.send({ type: "question.withdraw", id });
        settle(id, false);
      };
      askers.set(id, (isConfirmed) => {
        signal?.removeEventListener("abort", withdraw);
        resolve(isConfirmed);
      });
      signal?.addEventListener("abort", withdraw);
      notifications.send({ type: "question.ask", question: { id, kind, message } });
    });

  return {
    notifications,
    notifier: {
      toast(message, { undo, durationMs, afterwards } = {}) {
        if (undo === undefined) {
          notifications.send({ type: "toast.show", message });
          return;
        }
        lastId += 1;
        stepBack = { id: lastId, onPress: undo.onPress };
        const offer = {
          id: lastId,
          label: undo.label,
          durationMs: durationMs ?? OFFER_MS,
          lifeMs: durationMs ?? UNDO_ACTS_MS,
          message: afterwards ?? message,
          headline: afterwards === undefined ? null : message,
        };
        notifications.send({ type: "offer.show", offer });
      },
      warn: (message) => notifications.send({ type: "warning.show", message }),
      alert: async (message, { signal } = {}) => void (await ask("alert", message, signal)),
      confirm: (message, { signal } = {}) => ask("confirm", message, signal),
    },
  };
}
