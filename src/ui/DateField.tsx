import { t } from "@lingui/core/macro";
import { useEffect, useRef } from "react";
import { TextField, type TextFieldProps } from "./Field.tsx";

/** Stands for a partial date, which the browser reports as empty. */
export const PARTIAL_DATE = "-";

type DateFieldProps = Omit<TextFieldProps, "type" | "value" | "onChange"> & {
  /** A day such as `2026-03-05`, `PARTIAL_DATE`, or empty. */
  value: string;
  onChange: (value: string) => void;
};

/** A field for a day. It refuses a partial date: users of the value must not take it for an empty one. */
export function DateField({ value, onChange, errorMessage, ...props }: DateFieldProps) {
  const ref = useRef<HTMLInputElement>(null);
  const isPartial = value === PARTIAL_DATE;
  const report = ({ currentTarget: { value: day, validity } }: { currentTarget: HTMLInputElement }) => {
    const next = validity.badInput ? PARTIAL_DATE : day;
    if (next !== value) onChange(next);
  };
  // React sees no difference between a partial date and an empty one, so it does not clear the field.
  useEffect(() => {
    if (value === "" && ref.current?.validity.badInput) ref.current.value = "";
  }, [value]);
  return (
    <TextField
      {...props}
      ref={ref}
      type="date"
      value={isPartial ? "" : value}
      errorMessage={isPartial ? t`Enter the whole date.` : errorMessage}
      onChange={report}
      onBlur={report}
      onKeyDown={(event) => event.key === "Enter" && report(event)}
    />
  );
}
