import { screen } from "@testing-library/react";
import type { UiTextOrString } from "../../domain/ui-text.ts";
import { english } from "./english.ts";

type Name = string | RegExp;

/** Whether the text stands on the screen, once; no text does not. */
export const seen = (text: UiTextOrString | RegExp | null | undefined): boolean =>
  text != null && screen.queryByText(text instanceof RegExp ? text : english(text)) !== null;

/** A control by its role and exact name, or null where the screen shows none. */
export const button = (name: Name) => screen.queryByRole<HTMLButtonElement>("button", { name });
export const textbox = (name: Name) => screen.queryByRole<HTMLInputElement>("textbox", { name });
