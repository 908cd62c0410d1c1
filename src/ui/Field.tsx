import { type ReactNode, useId, type ComponentProps } from "react";
import { type TextNode, useTranslateNode } from "#language";
import { Note, Stack, Text, VisuallyHidden } from "./layout.tsx";
import css from "./Field.module.css";
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

type Labelled<Control extends "input" | "textarea" | "select"> = Omit<ComponentProps<Control>, "id"> &
  FieldProps & { id?: string };

/** Tells what the field takes from the attributes of its control. */
function split<
  Props extends FieldProps & { id?: string; className?: string | undefined; dir?: string | undefined; value?: unknown },
>({ label, isLabelHidden, description, errorMessage, id, className, ...own }: Props) {
  // An empty field begins where the page does; `auto` would make it begin at the left.
  const dir = own.dir === "auto" && own.value === "" ? undefined : own.dir;
  return { field: { label, isLabelHidden, description, errorMessage, id, className }, own: { ...own, dir } };
}

export type TextFieldProps = Labelled<"input">;

export function TextField(props: TextFieldProps) {
  const { field, own } = split(props);
  return <Field {...field}>{(control) => <input type="text" {...own} {...control} />}</Field>;
}

/** A native number input; `min`, `max` and `step` are the browser's own. */
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

/** Where arrows open a select's list instead of moving through the closed one. */
export const opensByArrow = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
