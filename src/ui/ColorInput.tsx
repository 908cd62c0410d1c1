import { type ComponentProps, useId } from "react";
import { Field, type FieldProps } from "./Field.tsx";

export type ColorInputProps = Omit<ComponentProps<"input">, "id" | "type"> & FieldProps & { id?: string };

/** Colours that are easy to tell apart, on light and on dark. */
const PALETTE = {
  "#dc2626": "Red",
  "#d97706": "Orange",
  "#ca8a04": "Yellow",
  "#16a34a": "Green",
  "#0d9488": "Teal",
  "#2563eb": "Blue",
  "#7c3aed": "Violet",
  "#db2777": "Pink",
  "#999999": "Grey",
};

/** The native colour picker, which offers a palette first; its value is `#rrggbb`. */
export function ColorInput({
  label,
  isLabelHidden,
  description,
  errorMessage,
  id,
  className,
  ...props
}: ColorInputProps) {
  const palette = useId();
  return (
    <Field {...{ id, label, isLabelHidden, description, errorMessage, className }}>
      {(control) => (
        <>
          <input {...props} type="color" list={palette} {...control} />
          <datalist id={palette}>
            {Object.entries(PALETTE).map(([color, name]) => (
              <option key={color} value={color}>
                {name}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
