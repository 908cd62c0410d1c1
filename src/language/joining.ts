import { msg } from "@lingui/core/runtime-macro";
import type { UiTextOrString } from "../../domain/ui-text.ts";

type Texts = readonly UiTextOrString[];

type Pair = { first: UiTextOrString; rest: UiTextOrString };

const joinBy =
  (pair: (texts: Pair) => UiTextOrString) =>
  (texts: Texts): UiTextOrString | null =>
    texts.length === 0 ? null : texts.reduceRight((rest, first) => pair({ first, rest }));

/** Joins whole sentences into one text; null if there are none. */
export const sentences = joinBy(({ first, rest }) => msg`${{ first }} ${{ rest }}`);

/** Joins texts, one per line. */
export const lines = joinBy(({ first, rest }) => msg`${{ first }}\n${{ rest }}`);
