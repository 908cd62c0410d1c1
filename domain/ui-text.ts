import type { MessageDescriptor } from "@lingui/core";
import { isRightToLeft } from "./locales.ts";

/** A text to be translated. Written with `msg` from `@lingui/core/runtime-macro`. */
export type UiText = MessageDescriptor;

/** A string is shown as it is: a name, Telegram's own words, a server message without a translation. */
export type UiTextOrString = UiText | string;

/** A text for a sentence of the server, with the English that the server wrote: the English page shows that one. */
export type ServerText = UiText & { english: string };

/** True when a value, such as a parameter of a text, is itself a text. */
export const isUiText = (value: unknown): value is UiText =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";

/** Returns a language's list separator. */
export const separatorOf = (locale: string | undefined): string => (locale === "ar" ? "، " : ", ");

/**
 * Joins names one after the other, such as `a, b, c`. From right to left, marks keep each name in its own direction and the list in
 * the page's.
 */
export function joinNames(names: readonly string[], locale: string | undefined): string {
  if (!isRightToLeft(locale) || names.every((name) => name === "")) return names.join(separatorOf(locale));
  return `\u200f${names.map((name) => `\u2068${name}\u2069`).join(separatorOf(locale))}`;
}

type Translator = { _: (message: UiText) => string; locale?: string };

function translateValue(value: unknown, by: Translator): unknown {
  if (Array.isArray(value))
    return joinNames(
      value.map((one: UiTextOrString) => translate(one, by)),
      by.locale,
    );
  if (!isUiText(value)) return value;
  const text = translate(value, by);
  // A text of nothing but values, such as `City: Must be one of Berlin`, would run from left to right: its values are isolated.
  return isRightToLeft(by.locale) ? `\u200f${text}` : text;
}

/** Returns a text in the language of `by`, and with it the texts and the lists of texts among its values. */
export function translate(text: UiTextOrString, by: Translator): string {
  if (typeof text === "string") return text;
  if (by.locale === "en" && "english" in text) return (text as ServerText).english;
  const { values, ...message } = text;
  if (values === undefined) return by._(message);
  const translated = Object.entries(values).map(([name, value]) => [name, translateValue(value, by)]);
  return by._({ ...message, values: Object.fromEntries(translated) });
}
