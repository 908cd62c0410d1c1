import { i18n } from "@lingui/core";
import { messages } from "../../locales/en/visitor.po";

/** Words the page in English. The texts inside the shell may have come before: what was loaded stays. */
export function activateEnglish(): void {
  i18n.load("en", messages);
  i18n.activate("en");
}
