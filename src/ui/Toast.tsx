import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import css from "./Toast.module.css";
import { classNames } from "./class-names.ts";
import { passFocusToHeading } from "./lost-focus.ts";

/** The container of toasts at the top right, one below the other. */
export const ToastRegion = ({ children }: { children: ReactNode }) => <div className={css["region"]}>{children}</div>;

export type ToastProps = {
  message: string | null;
  /** How it is announced: `status` is the page's shared live region, `polite` a separate one, `alert` interrupts. */
  announced: "status" | "polite" | "alert";
  onDismiss: () => void;
  /** An action such as Undo. */
  action?: { label: string; onPress: () => void } | undefined;
  /** The pointer or the focus enters the toast, or leaves it. */
  onHold?: () => void;
  onRelease?: () => void;
};

/**
 * A toast. Its live region holds only the message, and stays mounted while empty so that a new message is announced; the controls are
 * outside of it.
 */
export function Toast({ message, announced, onDismiss, action, onHold, onRelease }: ToastProps) {
  const isShown = message !== null;
  const spoken = announced === "polite" ? { "aria-live": "polite" as const } : { role: announced };
  return (
    <div
      data-toast={isShown || undefined}
      className={classNames(css["toast"], !isShown && css["empty"], announced === "alert" && css["bad"])}
      onPointerEnter={onHold}
      onPointerLeave={onRelease}
      onFocus={onHold}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) onRelease?.();
      }}
    >
      <span {...spoken}>{message}</span>
      {isShown && action && (
        <button ref={passFocusToHeading} type="button" className={css["action"]} onClick={action.onPress}>
          {action.label}
        </button>
      )}
      {isShown && (
        <button
          ref={passFocusToHeading}
          type="button"
          className={css["close"]}
          aria-label={t`Dismiss`}
          onClick={onDismiss}
        >
          ×
        </button>
      )}
    </div>
  );
}
