import css from "./Toast.module.css";

export type ToastProps = { message: string | null; onDismiss: () => void };

/** Good news at the top right. Its live region stays on the page so that a new message is announced. */
export function Toast({ message, onDismiss }: ToastProps) {
  return (
    <div role="status" className={css["region"]}>
      {message !== null && (
        <div className={css["toast"]}>
          <span>{message}</span>
          <button type="button" className={css["close"]} aria-label="Dismiss" onClick={onDismiss}>
            ×
          </button>
        </div>
      )}
    </div>
  );
}
