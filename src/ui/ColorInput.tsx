import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import { type ComponentProps, useId } from "react";
import { Field, type FieldProps } from "./Field.tsx";

export type ColorInputProps = Omit<ComponentProps<"input">, "id" | "type"> & FieldProps & { id?: string };

/** Colors that are easy to distinguish, on light and dark backgrounds. */
const PALETTE = {
  "#dc2626": msg`Red`,
  "#d97706": msg`Orange`,
  "#ca8a04": msg`Yellow`,
  "#16a34a": msg`Green`,
  "#0d9488": msg`Teal`,
  "#2563eb": msg`Blue`,
  "#7c3aed": msg`Violet`,
  "#db2777": msg`Pink`,
  "#999999": msg`Grey`,
};

/** The native color picker with a palette; its value is `#rrggbb`. */
export function ColorInput({
  label,
  isLabelHidden,
  description,
  errorMessage,
  id,
  className,
  ...props
}: ColorInputProps) {
  const { t } = useLingui();
  const palette = useId();
  return (
    <Field {...{ id, label, isLabelHidden, description, errorMessage, className }}>
      {(control) => (
        <>
          <input {...props} type="color" list={palette} {...control} />
          <datalist id={palette}>
            {Object.entries(PALETTE).map(([color, name]) => (
              <option key={color} value={color}>
                {t(name)}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
