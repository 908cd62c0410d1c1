import { type ReactNode, useId } from "react";
import { type TextNode, useTranslateNode } from "#language";
import { Note, Stack, Text } from "./layout.tsx";
import css from "./Field.module.css";
import { VisuallyHidden } from "./VisuallyHidden.tsx";
import { classNames } from "./class-names.ts";

/** What every labelled field takes besides its control's own attributes. */
export type FieldProps = {
  label: string;
  /** Keeps the label for screen readers and hides it from view, as in a table's cell. */
  isLabelHidden?: boolean | undefined;
  description?: TextNode;
  errorMessage?: TextNode;
};

type ControlAttributes = {
  id: string;
  className: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

/** Label, control, description and error, wired by ids. The control is rendered with the attributes it must carry. */
export function Field({
  id,
  label,
  isLabelHidden = false,
  description,
  errorMessage,
  className,
  children,
}: FieldProps & {
  id?: string | undefined;
  className?: string | undefined;
  children: (control: ControlAttributes) => ReactNode;
}) {
  const generated = useId();
  const translate = useTranslateNode();
  const controlId = id ?? generated;
  const hasError = errorMessage != null && errorMessage !== "";
  const describedBy =
    [description != null && `${controlId}-description`, hasError && `${controlId}-error`].filter(Boolean).join(" ") ||
    undefined;
  return (
    <Stack gap={1} share="less" className={classNames(className)}>
      <label htmlFor={controlId} className={css["label"]}>
        {isLabelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : <bdi>{label}</bdi>}
      </label>
      {children({
        id: controlId,
        className: css["control"] ?? "",
        "aria-describedby": describedBy,
        "aria-invalid": hasError || undefined,
      })}
      {description != null && <Note id={`${controlId}-description`}>{translate(description)}</Note>}
      {hasError && (
        <Text size="sm" tone="bad" id={`${controlId}-error`}>
          {translate(errorMessage)}
        </Text>
      )}
    </Stack>
  );
}
