import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./Field.tsx";

export type TextFieldProps = Omit<ComponentProps<"input">, "id"> & FieldProps & { id?: string };

/** A one-line text input with its label; pass `type` for e-mail, password and the like. */
export function TextField({
  label,
  isLabelHidden,
  description,
  errorMessage,
  id,
  className,
  ...props
}: TextFieldProps) {
  return (
    <Field {...{ id, label, isLabelHidden, description, errorMessage, className }}>
      {(control) => <input type="text" {...props} {...control} />}
    </Field>
  );
}
