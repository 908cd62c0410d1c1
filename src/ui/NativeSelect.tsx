import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./Field.tsx";

export type NativeSelectProps = Omit<ComponentProps<"select">, "id"> & FieldProps & { id?: string };

/** A native select with its label; options are its children. */
export function NativeSelect({
  label,
  isLabelHidden,
  description,
  errorMessage,
  id,
  className,
  ...props
}: NativeSelectProps) {
  return (
    <Field {...{ id, label, isLabelHidden, description, errorMessage, className }}>
      {(control) => <select {...props} {...control} />}
    </Field>
  );
}
