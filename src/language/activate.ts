import { i18n } from "@lingui/core";
import { messages } from "../../locales/en/visitor.po";

/** Words the page in English, as far as someone sees it before the shell has loaded. */
export const activateEnglish = (): void => i18n.loadAndActivate({ locale: "en", messages });
