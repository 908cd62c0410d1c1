import { msg, t } from "@lingui/core/macro";
import { useId } from "react";
import { Field, type TextFieldProps, split } from "./Field.tsx";

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
export function ColorInput(props: Omit<TextFieldProps, "type">) {
  const { field, own } = split(props);
  const palette = useId();
  return (
    <Field {...field}>
      {(control) => (
        <>
          <input {...own} type="color" list={palette} {...control} />
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
