import { describe, expect, it } from "vitest";
import { messageProblems } from "../support/message-checks.ts";

const LEADS = "{count, plural, one {# lead} other {# leads}}";

describe("a translation", () => {
  it.each([
    ["Hello, {name}", "Привет, {name}", "ru"],
    ["Read <0>the guide</0>, {name}", "{name}, lea <0>la guía</0>", "es"],
    [LEADS, "{count, plural, one {# лид} few {# лида} many {# лидов} other {# лида}}", "ru"],
    [LEADS, "{count, plural, one {# lead} many {# de leads} other {# leads}}", "es"],
    [LEADS, "{count, plural, other {# ta lid}}".replace("other", "one {# lid} other"), "uz"],
    [LEADS, "{count, plural, other {# prospek}}", "id"],
    [LEADS, "{count, plural, zero {لا عملاء} one {عميل} two {عميلان} few {# عملاء} many {# عميلا} other {# عميل}}", "ar"],
    [
      "{count, plural, =0 {Nothing} one {A lead} other {# leads}}",
      "{count, plural, =0 {Nada} one {Um} many {# de} other {#}}",
      "es",
    ],
    [
      "{kind, select, photo {Photo of {name}} other {{name}}}",
      "{kind, select, photo {Foto de {name}} other {{name}}}",
      "es",
    ],
    ["It''s {name}", "C''est {name}", "es"],
  ])("of %s is valid as %s (%s)", (message, translation, locale) => {
    expect(messageProblems(message, translation, locale)).toEqual([]);
  });

  it.each([
    ["is missing", "Save", " ", "ru", ["is not translated"]],
    ["lacks a placeholder", "Hello, {name}", "Привет", "ru", ["lacks {name}"]],
    ["renames a placeholder", "Hello, {name}", "Привет, {имя}", "ru", ["lacks {name}", "invents {имя}"]],
    ["hides a placeholder by an apostrophe", "It is {name}", "C'est '{name}'", "es", ["lacks {name}"]],
    ["lacks a tag", "Read <0>the guide</0>", "Lea la guía", "es", ["lacks <0>", "lacks </0>"]],
    ["invents a tag", "Read <0>it</0>", "<1>Lea</1> <0>la guía</0>", "es", ["invents <1>", "invents </1>"]],
    ["leaves a tag open", "Read <0>it</0>", "</0>Lea<0>", "es", ["has a tag that is not closed"]],
    [
      "lacks plural forms",
      LEADS,
      "{count, plural, one {# лид} other {# лида}}",
      "uk",
      ['{count}: lacks the form "few"', '{count}: lacks the form "many"'],
    ],
    [
      "lacks the form for millions",
      LEADS,
      "{count, plural, one {# lead} other {# leads}}",
      "pt-BR",
      ['{count}: lacks the form "many"'],
    ],
    [
      "has a form of another language",
      LEADS,
      "{count, plural, one {#} few {#} other {#}}",
      "en",
      ['{count}: invents the form "few"'],
    ],
    [
      "says 'a lead' of 21",
      LEADS,
      "{count, plural, one {лид} few {# лида} many {# лидов} other {# лида}}",
      "ru",
      ['{count}: shows no number in the form "one"'],
    ],
    ["lacks the plural", LEADS, "{count} лидов", "ru", ["lacks the plural of {count}"]],
    [
      "invents a plural",
      "{count} of {all}",
      "{count, plural, other {#}} dari {all}",
      "id",
      ["invents the plural of {count}"],
    ],
    [
      "lacks the wording for none",
      "{n, plural, =0 {No} one {#} other {#}}",
      "{n, plural, other {#}}",
      "id",
      ['{n}: lacks the case "0"'],
    ],
    [
      "translates a case's name",
      "{kind, select, photo {A} other {B}}",
      "{kind, select, foto {A} other {B}}",
      "es",
      ['{kind}: lacks the case "photo"', '{kind}: invents the case "foto"'],
    ],
    [
      "loses a placeholder in one form",
      "{n, plural, one {# of {name}} other {# of {name}}}",
      "{n, plural, one {# de {name}} many {# de {name}} other {#}}",
      "es",
      ["lacks {name}"],
    ],
  ])("is refused when it %s", (_what, message, translation, locale, problems) => {
    expect(messageProblems(message, translation, locale)).toEqual(problems);
  });

  it("is refused when it is invalid", () => {
    expect(messageProblems("Hello", "{name", "en")).toEqual([expect.stringMatching(/^cannot be read/)]);
  });
});
