import { setupI18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { translate, type UiTextOrString } from "../../domain/ui-text.ts";

const english = setupI18n({ locale: "en", messages: { en: {} } }).setMessagesCompiler(compileMessage);

/** Returns a text in English, the language of the API's answers. */
export const inEnglish = (text: UiTextOrString): string => translate(text, english);
