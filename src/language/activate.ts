import { i18n } from "@lingui/core";
import { messages } from "../../locales/en/visitor.po";

/** Words the page in English. */
export const activateEnglish = (): void => i18n.loadAndActivate({ locale: "en", messages });
