import { type RefObject, useEffect, useRef } from "react";
import { isFocusLost } from "./lost-focus.ts";

/**
 * A ref for a form whose fields are marked all at once, when it was pressed or refused. The focus goes to the first of
 * them, unless the person has gone on to something beside the form meanwhile. `marks` holds what is wrong by field, and
 * is another object with each attempt.
 */
export function useFocusOnFault(marks: Readonly<Record<string, unknown>>): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const isHere = isFocusLost() || form.current?.contains(document.activeElement);
    if (Object.keys(marks).length > 0 && isHere)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [marks]);
  return form;
}
