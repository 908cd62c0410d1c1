import type { MessageDescriptor } from "@lingui/core";

/** A text that the page shows in the reader's language. Its values may be texts themselves. */
export type UiText = MessageDescriptor;

/** A string is shown as it is: a name, or what Telegram answered. */
export type UiTextOrString = UiText | string;

const isUiText = (value: unknown): value is UiText =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";

/** The text in the language of `by`, which is Lingui's `i18n` of a page or of the server. */
export function translate(text: UiTextOrString, by: { _: (message: UiText) => string }): string {
  if (typeof text === "string") return text;
  if (text.values === undefined) return by._(text);
  const values = Object.entries(text.values).map(([name, value]) => [
    name,
    isUiText(value) ? translate(value, by) : value,
  ]);
  return by._({ ...text, values: Object.fromEntries(values) });
}
