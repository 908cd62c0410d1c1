import { screen, within } from "@testing-library/react";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { english } from "./english.ts";

type Name = string | RegExp;

/** Whether the screen shows the text exactly once; false for null. */
export const seen = (text: UiTextOrString | RegExp | null | undefined): boolean =>
  text != null && screen.queryByText(text instanceof RegExp ? text : english(text)) !== null;

/** Returns a control by its role and exact name; null when the screen shows none. */
export const button = (name: Name) => screen.queryByRole<HTMLButtonElement>("button", { name });
export const textbox = (name: Name) => screen.queryByRole<HTMLInputElement>("textbox", { name });

/** Returns the way back beside the words that say what was not read; null when they are not shown. */
export function retryBeside(words: Name) {
  const mark = screen.queryAllByText(words)[0]?.parentElement;
  return mark ? within(mark).queryByRole("button", { name: "Try again" }) : null;
}
