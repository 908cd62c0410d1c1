import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./Field.tsx";

export type ColorInputProps = Omit<ComponentProps<"input">, "id" | "type"> & FieldProps & { id?: string };

/** The native colour picker; its value is `#rrggbb`. */
export function ColorInput({
  label,
  isLabelHidden,
  description,
  errorMessage,
  id,
  className,
  ...props
}: ColorInputProps) {
  return (
    <Field {...{ id, label, isLabelHidden, description, errorMessage, className }}>
      {(control) => <input {...props} type="color" {...control} />}
    </Field>
  );
}
