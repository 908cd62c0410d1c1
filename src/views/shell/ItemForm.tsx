import { useLingui } from "@lingui/react/macro";
import { type ComponentProps, useEffect } from "react";
import { Button } from "../../ui/Button.tsx";
import { Refusal, submitting, useFocusOnFault } from "../../ui/form.tsx";
import { Row, Stack } from "../../ui/layout.tsx";

type ItemFormProps = Omit<ComponentProps<typeof Stack>, "onSubmit"> & {
  /** Why it was refused, and the fields that show their part of that. */
  refusal: ComponentProps<typeof Refusal>;
  saveLabel: string;
  isSaving: boolean;
  canSave: boolean;
  send: (event: { type: "form.submit" } | { type: "form.cancel" }) => void;
};

/** The form of one item of a list, focused when it opens: its fields, why it was refused, and the buttons. */
export function ItemForm({ refusal, saveLabel, isSaving, canSave, send, children, ...props }: ItemFormProps) {
  const { t } = useLingui();
  const ref = useFocusOnFault(refusal.refused);
  useEffect(() => ref.current?.querySelector("input")?.focus(), [ref]);
  return (
    <Stack as="form" gap={4} {...props} ref={ref} onSubmit={submitting(() => send({ type: "form.submit" }))} noValidate>
      {children}
      <Refusal {...refusal} />
      <Row wraps gap={2}>
        <Button type="submit" variant="primary" isPending={isSaving} disabled={!canSave && !isSaving}>
          {saveLabel}
        </Button>
        <Button isResting={isSaving} onClick={() => send({ type: "form.cancel" })}>
          {t`Cancel`}
        </Button>
      </Row>
    </Stack>
  );
}
