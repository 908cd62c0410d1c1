import { t } from "@lingui/core/macro";
import { type ComponentProps, type ReactNode, useEffect } from "react";
import { Button } from "../../ui/Button.tsx";
import { Refusal, submitting, useFocusOnError } from "../../ui/form.tsx";
import { Row, Stack } from "../../ui/layout.tsx";

type ItemFormProps = Omit<ComponentProps<typeof Stack>, "onSubmit"> & {
  /** Why the request was refused, and which fields show it. */
  refusal: ComponentProps<typeof Refusal>;
  saveLabel: string;
  isSaving: boolean;
  canSave: boolean;
  /** The size of the buttons. */
  size?: "small" | "medium";
  /** Replaces the buttons until the user has answered it. */
  question?: ReactNode;
  send: (event: { type: "form.submit" } | { type: "form.cancel" }) => void;
};

/** The form of a list item, focused when it opens: fields, refusal and buttons. */
export function ItemForm({
  refusal,
  saveLabel,
  isSaving,
  canSave,
  size = "medium",
  question = null,
  send,
  children,
  ...props
}: ItemFormProps) {
  const ref = useFocusOnError(refusal.refused);
  useEffect(() => ref.current?.querySelector("input")?.focus(), [ref]);
  return (
    <Stack as="form" gap={4} {...props} ref={ref} onSubmit={submitting(() => send({ type: "form.submit" }))} noValidate>
      {children}
      <Refusal {...refusal} />
      {question ?? (
        <Row wraps gap={2}>
          <Button type="submit" size={size} variant="primary" isPending={isSaving} disabled={!canSave}>
            {saveLabel}
          </Button>
          <Button size={size} isAriaDisabled={isSaving} onClick={() => send({ type: "form.cancel" })}>
            {t`Cancel`}
          </Button>
        </Row>
      )}
    </Stack>
  );
}
