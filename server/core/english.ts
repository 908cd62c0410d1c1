import { setupI18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { translate, type UiTextOrString } from "../../domain/ui-text.ts";
import { readReason } from "../../domain/stored-reasons.ts";

const english = setupI18n({ locale: "en", messages: { en: {} } }).setMessagesCompiler(compileMessage);

/** Returns a text in English, the language of the API's answers. */
export const inEnglish = (text: UiTextOrString): string => translate(text, english);

type ReasonFields<Name extends string, Stored> = Record<Name, Stored> &
  Partial<Record<`${Name}_code`, string | null>> &
  Partial<Record<`${Name}_params`, Record<string, unknown>>>;

/** Returns a stored reason as response fields: its English text, its code and its parameters. */
export function reasonFields<const Name extends string, Stored extends string | null>(
  name: Name,
  stored: Stored,
): ReasonFields<Name, Stored> {
  const { code = null, params = {}, text = null } = stored === null ? {} : readReason(stored);
  if (text === null) return { [name]: null } as ReasonFields<Name, Stored>;
  return { [name]: inEnglish(text), [`${name}_code`]: code, [`${name}_params`]: params } as ReasonFields<Name, Stored>;
}
