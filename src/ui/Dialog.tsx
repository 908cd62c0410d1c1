import { type ComponentProps, useEffect, useRef } from "react";
import { focusedControl, returnFocus } from "./lost-focus.ts";

/** The browser's own modal dialog, open while it is mounted; Escape calls `onClose`. The focus stays inside and returns to where it was. */
export function Dialog({ onClose, ...props }: ComponentProps<"dialog"> & { onClose: (() => void) | undefined }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = focusedControl();
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      if (before !== null) returnFocus(before);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      {...props}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    />
  );
}
