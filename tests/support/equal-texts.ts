import { expect } from "vitest";
import { isUiText } from "../../domain/ui-text.ts";
import { english } from "./english.ts";

const isEnglish = (text: unknown, expected: unknown): boolean | undefined =>
  typeof expected === "string" && isUiText(text) && text.message !== undefined ? english(text) === expected : undefined;

// Lets a test expect a text by its English wording anywhere in the compared value.
expect.addEqualityTesters([(a, b) => isEnglish(a, b) ?? isEnglish(b, a)]);
