import { expect } from "vitest";
import { isUiText } from "../../domain/ui-text.ts";
import { english } from "./english.ts";

const isEnglish = (text: unknown, words: unknown): boolean | undefined =>
  typeof words === "string" && isUiText(text) && text.message !== undefined ? english(text) === words : undefined;

// A test may expect a text by its English, wherever it stands in what is compared.
expect.addEqualityTesters([(a, b) => isEnglish(a, b) ?? isEnglish(b, a)]);
