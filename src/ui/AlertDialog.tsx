import { useLingui } from "@lingui/react/macro";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Row, Text } from "./layout.tsx";
import css from "./AlertDialog.module.css";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";

export type AlertDialogProps = {
  /** What the person must read; also the dialog's accessible name. */
  message: ReactNode;
  /** What there is to know about it, one thing a line. */
  detail?: string | undefined;
  /** “OK” without it. */
  confirmLabel?: string;
  /** Given, the dialog asks: it has this second button, and Escape means it. */
  cancelLabel?: string;
  onConfirm: () => void;
  onCancel?: () => void;
};

/** A question over the page. */
export function AlertDialog({ message, detail, confirmLabel, cancelLabel, onConfirm, onCancel }: AlertDialogProps) {
  const { t } = useLingui();
  const confirm = useRef<HTMLButtonElement>(null);
  const messageId = useId();
  const detailId = useId();
  useEffect(() => confirm.current?.focus(), []);
  return (
    <Dialog
      role="alertdialog"
      aria-modal="true"
      aria-labelledby={messageId}
      aria-describedby={detail === undefined ? undefined : detailId}
      className={css["dialog"]}
      onClose={cancelLabel === undefined ? onConfirm : onCancel}
    >
      <Text size="lg" id={messageId} className={css["message"]}>
        {message}
      </Text>
      {detail !== undefined && (
        <Text before={3} tone="muted" id={detailId} className={css["message"]}>
          {detail}
        </Text>
      )}
      <Row wraps justify="end" gap={2} before={5}>
        {cancelLabel !== undefined && (
          <Button variant="ghost" onClick={onCancel}>
            {cancelLabel}
          </Button>
        )}
        <Button ref={confirm} variant="primary" onClick={onConfirm}>
          {confirmLabel ?? t`OK`}
        </Button>
      </Row>
    </Dialog>
  );
}
