import { describe, expect, it } from "vitest";
import { messageProblems } from "../support/message-checks.ts";

/** Returns a message that counts something, with these plural forms. */
const counted = (forms: string) => `{count, plural, ${forms}}`;
const LEADS = counted("one {# lead} other {# leads}");
const lacksForm = (form: string) => `{count}: lacks the form "${form}"`;

describe("a translation", () => {
  it.each([
    ["Hello, {name}", "Привет, {name}", "ru"],
    ["Read <0>the guide</0>, {name}", "{name}, lea <0>la guía</0>", "es"],
    [LEADS, counted("one {# лид} few {# лида} many {# лидов} other {# лида}"), "ru"],
    [LEADS, counted("one {# lead} many {# de leads} other {# leads}"), "es"],
    [LEADS, counted("one {# lid} other {# ta lid}"), "uz"],
    [LEADS, counted("other {# prospek}"), "id"],
    [LEADS, counted("zero {لا عملاء} one {عميل} two {عميلان} few {# عملاء} many {# عميلا} other {# عميل}"), "ar"],
    [counted("=0 {Nothing} one {A lead} other {#}"), counted("=0 {Nada} one {Um} many {# de} other {#}"), "es"],
    ["{kind, select, photo {A {name}} other {{name}}}", "{kind, select, photo {Una {name}} other {{name}}}", "es"],
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
    ["lacks plural forms", LEADS, counted("one {# лид} other {# лида}"), "uk", ["few", "many"].map(lacksForm)],
    ["lacks the form for millions", LEADS, counted("one {# lead} other {# leads}"), "pt-BR", [lacksForm("many")]],
    [
      "has a form of another language",
      LEADS,
      counted("one {#} few {#} other {#}"),
      "en",
      ['{count}: invents the form "few"'],
    ],
    [
      "says 'a lead' of 21",
      LEADS,
      counted("one {лид} few {# лида} many {# лидов} other {# лида}"),
      "ru",
      ['{count}: shows no number in the form "one"'],
    ],
    ["lacks the plural", LEADS, "{count} лидов", "ru", ["lacks the plural of {count}"]],
    [
      "invents a plural",
      "{count} of {all}",
      `${counted("other {#}")} dari {all}`,
      "id",
      ["invents the plural of {count}"],
    ],
    ["lacks the wording for none", counted("=0 {No} one {#} other {#}"), LEADS, "en", ['{count}: lacks the case "0"']],
    [
      "translates a case's name",
      "{kind, select, photo {A} other {B}}",
      "{kind, select, foto {A} other {B}}",
      "es",
      ['{kind}: lacks the case "photo"', '{kind}: invents the case "foto"'],
    ],
    [
      "loses a placeholder in one form",
      counted("one {# of {name}} other {# of {name}}"),
      counted("one {# de {name}} many {# de {name}} other {#}"),
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
