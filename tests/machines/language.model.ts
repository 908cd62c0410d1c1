import { createLanguage } from "../../src/machines/language/language.machine.ts";
import { done, failedWrites } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

/** The chart for a visitor who chose Russian on this device. */
export const languageMachine = createLanguage(fakePage(), {
  language: { choose: async () => {}, ofVisitor: () => "ru" },
});

export const languageModel: WalkedModel = {
  events: [
    ...done("readLanguage", null, "es"),
    ...done("saveLanguage", "ru"),
    ...failedWrites("saveLanguage"),
    { type: "language.choose", language: "ru" },
    { type: "language.choose", language: null },
    { type: "language.saved", language: "uk" },
  ],
  provide: overPending(languageMachine),
};
