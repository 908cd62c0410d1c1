import { type TextNode, translate, type UiTextOrString } from "#language";
import { type Look, Text } from "./layout.tsx";
import { type FormEvent, type ReactElement, type RefObject, useEffect, useRef } from "react";
import { isFocusLost } from "./lost-focus.ts";

/** A form's general error, in red, announced when it appears; renders nothing without an error. */
export function FormProblem({ share, children }: Pick<Look, "share"> & { children: TextNode }) {
  if (children === null || children === "") return null;
  return (
    <Text as="div" tone="bad" weight="firm" share={share} role="alert">
      {translate(children)}
    </Text>
  );
}

/** A field's error, announced when it appears; renders nothing without an error. */
export const announced = (text: UiTextOrString | null | undefined): ReactElement | undefined =>
  text ? <span role="alert">{translate(text)}</span> : undefined;

type RefusalProps = {
  problem: UiTextOrString | null;
  refused: Readonly<Record<string, UiTextOrString>>;
  /** The fields that show their own errors. */
  fields: readonly string[];
};

/** Whether a text equals another one, or contains it. */
const contains = (text: unknown, other: UiTextOrString): boolean =>
  text === other ||
  (typeof text === "object" &&
    text !== null &&
    "values" in text &&
    Object.values(text.values ?? {}).some((value) => contains(value, other)));

/** Shows why a form was refused, unless a field already shows it. */
export function Refusal({ problem, refused, fields }: RefusalProps) {
  if (problem === null) return null;
  const isAtField = fields.some((field) => {
    const said = refused[field];
    return said !== undefined && contains(problem, said);
  });
  return isAtField ? null : <FormProblem>{problem}</FormProblem>;
}

export function formText(form: HTMLFormElement): (name: string) => string {
  const data = new FormData(form);
  return (name) => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
}

/** Handles a form's submit in the page. `submit` receives the form's texts. */
export const submitting =
  (submit: (text: ReturnType<typeof formText>) => void) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    submit(formText(event.currentTarget));
  };

/**
 * Returns a ref for a form whose invalid fields are marked together, after a submit or a refusal. Focuses the first of them, unless the
 * user has moved the focus out of the form. `marks` holds the problems by field, in a new object for each attempt.
 */
export function useFocusOnError(marks: Readonly<Record<string, unknown>>): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const isHere = isFocusLost() || form.current?.contains(document.activeElement);
    if (Object.keys(marks).length > 0 && isHere)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [marks]);
  return form;
}
