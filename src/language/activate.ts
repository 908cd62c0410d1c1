import { i18n } from "@lingui/core";
import { messages } from "../../locales/en/visitor.po";

/** Switches the page to English. Keeps the shell's texts when they were loaded first. */
export function activateEnglish(): void {
  i18n.load("en", messages);
  i18n.activate("en");
}
