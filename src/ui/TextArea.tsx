import type { ComponentProps } from "react";
import { Field, type FieldProps } from "./Field.tsx";

export type TextAreaProps = Omit<ComponentProps<"textarea">, "id"> & FieldProps & { id?: string };

/** A text area with its label. */
export function TextArea({ label, isLabelHidden, description, errorMessage, id, className, ...props }: TextAreaProps) {
  return (
    <Field {...{ id, label, isLabelHidden, description, errorMessage, className }}>
      {(control) => <textarea {...props} {...control} />}
    </Field>
  );
}
