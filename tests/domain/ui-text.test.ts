import { msg } from "@lingui/core/runtime-macro";
import { expect, it } from "vitest";
import { isUiText } from "../../domain/ui-text.ts";
import { english } from "../support/english.ts";

it("shows a string as it is, braces and apostrophes included", () => {
  expect(english("{name} isn't a placeholder")).toEqual("{name} isn't a placeholder");
});

it("translates the texts among a text's values", () => {
  const cause = msg`you held the lead`;
  expect(english(msg`Skipped: ${{ cause }}. ${{ name: "{Ann}" }}`)).toEqual("Skipped: you held the lead. {Ann}");
});

it("takes neither names nor other values for texts", () => {
  expect([msg`Saved`, "Saved", null, { failed: "Not saved" }, 3].map(isUiText)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
