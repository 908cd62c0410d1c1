import {
  type NotificationsRef,
  selectQuestion,
  selectToast,
  useNotificationEvents,
  useNotifications,
} from "../../machines/notifications/index.ts";
import { AlertDialog } from "../../ui/AlertDialog.tsx";
import { Toast } from "../../ui/Toast.tsx";

/** The toast and the question of the moment, over whatever screen is shown. */
export function NotificationsView({ notifications }: { notifications: NotificationsRef }) {
  const toast = useNotifications(notifications, selectToast);
  const question = useNotifications(notifications, selectQuestion);
  const { dismissToast, answer } = useNotificationEvents(notifications);
  return (
    <>
      <Toast message={toast} onDismiss={dismissToast} />
      {question && (
        <AlertDialog
          key={question.id}
          message={question.message}
          onConfirm={() => answer(true)}
          {...(question.kind === "confirm" ? { cancelLabel: "Cancel", onCancel: () => answer(false) } : {})}
        />
      )}
    </>
  );
}
