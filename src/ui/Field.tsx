import { type ReactNode, useId, type ComponentProps } from "react";
import { type TextNode, translate } from "#language";
import { Note, Stack, Text, VisuallyHidden } from "./layout.tsx";
import css from "./Field.module.css";

/** Props of every labelled field besides its control's attributes. */
type FieldProps = {
  label: string;
  /** Hides the label visually but keeps it for screen readers, as in a table's cell. */
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

/** Label, control, description and error, wired by ids. `children` renders the control with the attributes passed in. */
export function Field({
  label,
  isLabelHidden = false,
  description,
  errorMessage,
  className,
  children,
}: FieldProps & {
  className?: string | undefined;
  children: (control: ControlAttributes) => ReactNode;
}) {
  const id = useId();
  const hasError = errorMessage != null && errorMessage !== "";
  const describedBy =
    [description != null && `${id}-description`, hasError && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <Stack gap={1} share="less" className={className}>
      <label htmlFor={id} className={css["label"]}>
        {isLabelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : <bdi>{label}</bdi>}
      </label>
      {children({
        id,
        className: css["control"] ?? "",
        "aria-describedby": describedBy,
        "aria-invalid": hasError || undefined,
      })}
      {description != null && <Note id={`${id}-description`}>{translate(description)}</Note>}
      {hasError && (
        <Text size="sm" tone="bad" id={`${id}-error`}>
          {translate(errorMessage)}
        </Text>
      )}
    </Stack>
  );
}

type Labelled<Control extends "input" | "textarea" | "select"> = Omit<ComponentProps<Control>, "id"> & FieldProps;

/** Separates the field's props from its control's attributes. */
export function split<
  Props extends FieldProps & { className?: string | undefined; dir?: string | undefined; value?: unknown },
>({ label, isLabelHidden, description, errorMessage, className, ...own }: Props) {
  // An empty field follows the page's direction; `auto` would start it at the left.
  const dir = own.dir === "auto" && own.value === "" ? undefined : own.dir;
  return { field: { label, isLabelHidden, description, errorMessage, className }, own: { ...own, dir } };
}

export type TextFieldProps = Labelled<"input">;

export function TextField(props: TextFieldProps) {
  const { field, own } = split(props);
  return <Field {...field}>{(control) => <input type="text" {...own} {...control} />}</Field>;
}

/** A native number input; `min`, `max` and `step` are native attributes. */
export function NumberField(props: Omit<TextFieldProps, "type">) {
  const { field, own } = split(props);
  return <Field {...field}>{(control) => <input inputMode="decimal" {...own} type="number" {...control} />}</Field>;
}

export function TextArea(props: Labelled<"textarea">) {
  const { field, own } = split(props);
  return <Field {...field}>{(control) => <textarea {...own} {...control} />}</Field>;
}

export type NativeSelectProps = Labelled<"select">;

export function NativeSelect(props: NativeSelectProps) {
  const { field, own } = split(props);
  return <Field {...field}>{(control) => <select {...own} {...control} />}</Field>;
}

export const Options = ({ items }: { items: readonly { id: string; name: string | null }[] }) =>
  items.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));

/** Whether arrow keys open a select's list instead of changing the closed select. */
export const opensByArrow = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
