import { t } from "@lingui/core/macro";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Row, Text } from "./layout.tsx";
import css from "./AlertDialog.module.css";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";

export type AlertDialogProps = {
  /** The message; also the dialog's accessible name. */
  message: ReactNode;
  /** Further facts, one per line. */
  detail?: string | undefined;
  onConfirm: () => void;
  /** Makes it a confirmation: adds a second button, which Escape also triggers. */
  onCancel?: (() => void) | undefined;
};

/** A modal alert or confirmation. */
export function AlertDialog({ message, detail, onConfirm, onCancel }: AlertDialogProps) {
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
      onClose={onCancel ?? onConfirm}
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
        {onCancel && (
          <Button variant="ghost" onClick={onCancel}>
            {t`Cancel`}
          </Button>
        )}
        <Button ref={confirm} variant="primary" onClick={onConfirm}>
          {t`OK`}
        </Button>
      </Row>
    </Dialog>
  );
}
