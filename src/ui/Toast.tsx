import { useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import css from "./Toast.module.css";
import { classNames } from "./class-names.ts";

/** Where toasts stand, at the top right, one under the other. */
export const ToastRegion = ({ children }: { children: ReactNode }) => <div className={css["region"]}>{children}</div>;

export type ToastProps = {
  message: string | null;
  /** How it is announced: `status` is the page's one line of good news, `polite` another one, `alert` interrupts. */
  announced: "status" | "polite" | "alert";
  onDismiss: () => void;
  /** A step back, beside the words. */
  action?: { label: string; onPress: () => void } | undefined;
  /** The person is at it, with the pointer or the focus; and has left it. */
  onHold?: () => void;
  onRelease?: () => void;
};

/**
 * A message that goes by itself. What is announced holds the words alone, and stays on the page while it is empty so that
 * a new message is heard; the controls stand beside it.
 */
export function Toast({ message, announced, onDismiss, action, onHold, onRelease }: ToastProps) {
  const { t } = useLingui();
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
        <button type="button" className={css["action"]} onClick={action.onPress}>
          {action.label}
        </button>
      )}
      {isShown && (
        <button type="button" className={css["close"]} aria-label={t`Dismiss`} onClick={onDismiss}>
          ×
        </button>
      )}
    </div>
  );
}
