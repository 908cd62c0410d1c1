import { type ComponentProps, useEffect, useRef } from "react";

/** The browser's own modal dialog, open while it is mounted; Escape calls `onClose`. The focus stays inside and returns to where it was. */
export function Dialog({ onClose, ...props }: ComponentProps<"dialog"> & { onClose: (() => void) | undefined }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
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
