import { msg } from "@lingui/core/runtime-macro";
import type { UiText, UiTextOrString } from "./ui-text.ts";

/** Returns names in quotation marks. Among the values of a text they are shown as a list. */
export const quoted = (names: readonly string[]): UiText[] => names.map((name) => msg`“${{ name }}”`);

/** Returns choices as one text, such as `a or b`. */
export const anyOf = (choices: readonly string[]): UiTextOrString =>
  choices.reduceRight<UiTextOrString | null>(
    (rest, first) => (rest === null ? first : msg`${{ first }} or ${{ rest }}`),
    null,
  ) ?? "";
