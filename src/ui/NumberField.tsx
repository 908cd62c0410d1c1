import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./Field.tsx";

export type NumberFieldProps = Omit<ComponentProps<"input">, "id" | "type"> & FieldProps & { id?: string };

/** A native number input; `min`, `max` and `step` are the browser's own. */
export function NumberField({
  label,
  isLabelHidden,
  description,
  errorMessage,
  id,
  className,
  ...props
}: NumberFieldProps) {
  return (
    <Field {...{ id, label, isLabelHidden, description, errorMessage, className }}>
      {(control) => <input inputMode="decimal" {...props} type="number" {...control} />}
    </Field>
  );
}
