import { screen, within } from "@testing-library/react";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { english } from "./english.ts";

type Name = string | RegExp;

/** Whether the screen shows the text exactly once; false for null. */
export const seen = (text: UiTextOrString | RegExp | null | undefined): boolean =>
  text != null && screen.queryByText(text instanceof RegExp ? text : english(text)) !== null;

/** Returns a control by its role and exact name; null when the screen does not show it. */
export const button = (name: Name) => screen.queryByRole<HTMLButtonElement>("button", { name });
export const textbox = (name: Name) => screen.queryByRole<HTMLInputElement>("textbox", { name });

/** Returns the retry button next to an error message; null when the message is not shown. */
export function retryButtonNextTo(words: Name) {
  const mark = screen.queryAllByText(words)[0]?.parentElement;
  return mark ? within(mark).queryByRole("button", { name: "Try again" }) : null;
}
