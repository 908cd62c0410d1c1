import { createLanguage } from "../../src/machines/language/language.machine.ts";
import { done, failedWrites, modelOf } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

/** The chart for a visitor who chose Russian on this device. */
const languageMachine = createLanguage(fakePage(), { language: { choose: async () => {}, ofVisitor: () => "ru" } });

export const languageModel = modelOf(languageMachine, {
  events: [
    ...done("readLanguage", null, "es"),
    ...done("saveLanguage", "ru"),
    ...failedWrites("saveLanguage"),
    { type: "language.choose", language: "ru" },
    { type: "language.choose", language: null },
    { type: "language.saved", language: "uk" },
  ],
});
