import { useSelector } from "@xstate/react";
import { useMemo } from "react";
import type { NotificationsRef, NotificationsSnapshot } from "./notifications.machine.ts";

export const useNotifications = <T,>(
  notifications: NotificationsRef,
  selector: (snapshot: NotificationsSnapshot) => T,
): T => useSelector(notifications, selector);

/** What a person can do about a toast and a question. */
export function useNotificationEvents(notifications: NotificationsRef) {
  return useMemo(
    () => ({
      dismissToast: () => notifications.send({ type: "toast.dismiss" }),
      answer: (isConfirmed: boolean) => notifications.send({ type: "question.answer", isConfirmed }),
    }),
    [notifications],
  );
}
