import { setupI18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { type UiTextOrString, translate } from "../../domain/ui-text.ts";

const i18n = setupI18n({ locale: "en", messages: { en: {} } }).setMessagesCompiler(compileMessage);

/** Returns a text of a chart or of `domain/` in English, as the page shows it. */
export const english = (text: UiTextOrString): string => translate(text, i18n);
