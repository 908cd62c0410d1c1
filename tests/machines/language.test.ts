import { expect, it } from "vitest";
import type { Locale } from "../../domain/locales.ts";
import { createLanguage } from "../../src/machines/language/language.machine.ts";
import { refusedWith } from "../support/model.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import { failsWith, initialLoadInvariants, isCalling, walkEveryPath } from "../support/invariants.ts";
import { languageModel } from "./language.model.ts";

walkEveryPath(languageModel, {
  ...initialLoadInvariants("", "readLanguage", { starts: ["error saveLanguage"] }),
  deciding: { after: [] },
  resting: {
    after: {
      "done readLanguage": ({ context, event }) => expect(context.saved).toEqual(event.output),
      "done saveLanguage": ({ context, event }) =>
        expect([context.saved, context.problem]).toEqual([event.output, null]),
      "error saveLanguage": failsWith("The language may have been saved."),
      "language.saved": ({ context, event }) =>
        expect([context.saved, context.problem]).toEqual([event.language, null]),
    },
    accepts: ["language.choose", "language.saved"],
  },
  saving: {
    after: {
      "done readLanguage": ({ context }) => expect([context.saved, context.wanted]).toEqual([null, "ru"]),
      "language.choose": ({ context, event }) =>
        expect([context.wanted, context.problem]).toEqual([event.language, null]),
    },
    holds: ({ context, calls }) => isCalling("saveLanguage", { language: context.wanted })({ calls }),
  },
});

/** Starts the chart with the user's saved language and the visitor's choice. `answer` settles the next save. */
async function start(stored: Locale | null, ofVisitor: Locale | null, answer?: Promise<Locale | null>) {
  const shown: (Locale | null)[] = [];
  const saved: (Locale | null)[] = [];
  const logic = createLanguage(fakePage(), {
    settings: {
      readLanguage: async () => stored,
      saveLanguage: ({ language }) => (saved.push(language), answer ?? Promise.resolve(language)),
    },
    language: { choose: async (language) => void shown.push(language), ofVisitor: () => ofVisitor },
  });
  const journey = await openJourney(logic);
  return { ...journey, shown, saved };
}

it.each<{ stored: Locale | null; ofVisitor: Locale | null; shown: (Locale | null)[]; saved: Locale[] }>([
  { stored: "es", ofVisitor: "ru", shown: ["es"], saved: [] },
  { stored: null, ofVisitor: "ru", shown: ["ru"], saved: ["ru"] },
  { stored: null, ofVisitor: null, shown: [null], saved: [] },
])("shows the user's $stored over a visitor's $ofVisitor", async ({ stored, ofVisitor, ...expected }) => {
  const { shown, saved } = await start(stored, ofVisitor);
  expect({ shown, saved }).toEqual(expected);
});

it("shows a choice before it is saved, and says when it was not", async () => {
  const saving = Promise.withResolvers<Locale | null>();
  const { go, shown, snapshot, context } = await start("es", null, saving.promise);
  await go({ type: "language.choose", language: "ru" });
  expect([shown, snapshot().value]).toEqual([["es", "ru"], "saving"]);
  saving.reject(refusedWith(422, { code: "invalid_input", message: "Not now." }));
  await settle();
  expect(context()).toEqual({ saved: "es", wanted: "ru", problem: "Not now." });
});
