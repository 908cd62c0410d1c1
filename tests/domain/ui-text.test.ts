import { msg } from "@lingui/core/runtime-macro";
import { expect, it } from "vitest";
import { anyOf, quoted } from "../../domain/lists.ts";
import { isUiText, joinNames, translate } from "../../domain/ui-text.ts";
import { english } from "../support/english.ts";

it("shows a string as it is, braces and apostrophes included", () => {
  expect(english("{name} isn't a placeholder")).toEqual("{name} isn't a placeholder");
});

it("translates the texts among a text's values", () => {
  const cause = msg`you held the lead`;
  expect(english(msg`Skipped: ${{ cause }}. ${{ name: "{Ann}" }}`)).toEqual("Skipped: you held the lead. {Ann}");
});

it.each([
  ["en", "“S”, “M”, “{L}”"],
  ["ar", "\u200f\u2068“S”\u2069، \u2068“M”\u2069، \u2068“{L}”\u2069"],
])("shows a list among the values as %s writes it", (locale, list) => {
  const by = { _: (text: Parameters<typeof english>[0]) => english(text), locale };
  expect(translate(msg`Hold ${{ options: quoted(["S", "M", "{L}"]) }}.`, by)).toEqual(`Hold ${list}.`);
});

it("marks a text among an Arabic text's values as right-to-left", () => {
  const by = { _: (text: Parameters<typeof english>[0]) => english(text), locale: "ar" };
  const problem = msg`${{ column: "City" }}: ${{ problem: msg`Must not be empty.` }}`;
  expect(translate(msg`Row 3: ${{ problem }}`, by)).toEqual("Row 3: \u200fCity: \u200fMust not be empty.");
});

it.each([[[]], [[""]]])("joins %j to an empty text, also in Arabic", (names: string[]) => {
  expect([joinNames(names, "en"), joinNames(names, "ar")]).toEqual(["", ""]);
});

it.each([
  [[], ""],
  [["read"], "read"],
  [["read", "write", "send"], "read or write or send"],
])("names the choices %j as one text", (choices, text) => expect(english(anyOf(choices))).toEqual(text));

it("does not mistake names or other values for texts", () => {
  expect([msg`Saved`, "Saved", null, { failed: "Not saved" }, 3].map(isUiText)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
