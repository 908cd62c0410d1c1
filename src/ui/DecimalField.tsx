import { i18n } from "@lingui/core";
import { type KeyboardEvent, useState } from "react";
import { numberText, plainNumber } from "../language/format.ts";
import { NumberField, TextField, type TextFieldProps } from "./Field.tsx";

type DecimalFieldProps = Omit<TextFieldProps, "type" | "value" | "defaultValue" | "min" | "max" | "step"> & {
  /** Plain, such as `0.3`. */
  defaultValue: string;
  min: number;
  max: number;
  step: number;
};

/** The decimal separator of the active language. */
const separator = (): string => numberText(0.5).slice(1, -1);

/** Returns a plain number with the active language's decimal separator. */
const localNumber = (plain: string): string => plain.replace(".", separator());

/**
 * A field for a number with decimals, in the format of the page's language. A native number input follows the browser's language, so it is
 * used only where the page writes a point. What is typed is read by `plainNumber`.
 */
export function DecimalField(props: DecimalFieldProps) {
  return separator() === "." ? <NumberField {...props} /> : <TypedNumber {...props} />;
}

type AmountFieldProps = Omit<TextFieldProps, "type" | "value" | "onChange"> & {
  /** A plain number, such as `1234.5`, or any other text as typed. */
  value: string;
  onChange: (value: string) => void;
};

/**
 * A field for a number of any size, read by `plainNumber` in every language. A native number input drops thousands separators and foreign
 * decimal separators: `0,75` would become 75.
 */
export function AmountField({ value, onChange, ...props }: AmountFieldProps) {
  const [typed, setTyped] = useState({ text: "", value: "", locale: "" });
  const isTyped = typed.value === value && typed.locale === i18n.locale;
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      {...props}
      value={isTyped ? typed.text : localNumber(value)}
      onChange={({ target: { value: text } }) => {
        const read = plainNumber(text);
        const next = read === null ? text : String(Number(read));
        setTyped({ text, value: next, locale: i18n.locale });
        onChange(next);
      }}
    />
  );
}

/** A text field with the arrow keys of a native number input. */
function TypedNumber({ defaultValue, min, max, step, ...props }: DecimalFieldProps) {
  const [first] = useState(() => localNumber(defaultValue));
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const steps = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (steps === 0 || props.readOnly) return;
    event.preventDefault();
    const input = event.currentTarget;
    const reached = Math.round(Number(plainNumber(input.value) ?? min) / step + steps) * step;
    const text = numberText(Math.min(max, Math.max(min, reached)));
    // React takes this for typing; it would not notice a new `value`.
    input.setRangeText(text, 0, input.value.length, "end");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return <TextField inputMode="decimal" autoComplete="off" {...props} defaultValue={first} onKeyDown={onKeyDown} />;
}
