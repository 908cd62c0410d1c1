import { CircleCheck, X } from "lucide-react";
import css from "./Toast.module.css";

export type ToastProps = { message: string | null; onDismiss: () => void };

/** Good news at the top right. Its live region stays on the page so that a new message is announced. */
export function Toast({ message, onDismiss }: ToastProps) {
  return (
    <div role="status" className={css["region"]}>
      {message !== null && (
        <div className={css["toast"]}>
          <CircleCheck aria-hidden="true" className={css["icon"]} />
          <span>{message}</span>
          <button type="button" className={css["close"]} aria-label="Dismiss" onClick={onDismiss}>
            <X aria-hidden="true" />
          </button>
        </div>
      )}
    </div>
  );
}
