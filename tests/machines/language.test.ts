import { expect, it, vi } from "vitest";
import { createActor } from "xstate";
import type { Locale } from "../../domain/locales.ts";
import { createLanguage } from "../../src/machines/language/language.machine.ts";
import { failureText } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { firstReadingInvariants, isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { languageMachine, languageModel } from "./language.model.ts";

walkEveryPath(languageMachine, languageModel, {
  ...firstReadingInvariants("", "readLanguage", { starts: ["error saveLanguage"] }),
  deciding: { after: [] },
  resting: {
    after: {
      "done readLanguage": ({ context, event }) => expect(context.saved).toEqual(event.output),
      "done saveLanguage": ({ context, event }) =>
        expect([context.saved, context.problem]).toEqual([event.output, null]),
      "error saveLanguage": ({ context, before, event }) =>
        expect(context).toEqual({ ...before, problem: failureText(event, "The language may have been saved.") }),
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

function start(stored: Locale | null, ofVisitor: Locale | null) {
  const page = fakePage();
  const shown: (Locale | null)[] = [];
  const saveLanguage = vi.fn<(input: { language: Locale | null }) => Promise<Locale | null>>(
    async ({ language }) => language,
  );
  const chart = createActor(
    createLanguage(page, {
      settings: { readLanguage: async () => stored, saveLanguage },
      language: { choose: async (language) => void shown.push(language), ofVisitor: () => ofVisitor },
    }),
  ).start();
  const rests = () => vi.waitFor(() => expect(chart.getSnapshot().value).toEqual("resting"));
  return { chart, shown, saveLanguage, rests };
}

it.each<{ stored: Locale | null; ofVisitor: Locale | null; shown: (Locale | null)[]; saved: Locale[] }>([
  { stored: "es", ofVisitor: "ru", shown: ["es"], saved: [] },
  { stored: null, ofVisitor: "ru", shown: ["ru"], saved: ["ru"] },
  { stored: null, ofVisitor: null, shown: [null], saved: [] },
])("shows the user's $stored over a visitor's $ofVisitor", async ({ stored, ofVisitor, shown, saved }) => {
  const chart = start(stored, ofVisitor);
  await chart.rests();
  expect([chart.shown, chart.saveLanguage.mock.calls.map(([input]) => input.language)]).toEqual([shown, saved]);
});

it("shows a choice before it is saved, and says when it was not", async () => {
  const { chart, shown, saveLanguage, rests } = start("es", null);
  await rests();
  const saving = Promise.withResolvers<Locale | null>();
  saveLanguage.mockReturnValueOnce(saving.promise);
  chart.send({ type: "language.choose", language: "ru" });
  expect([shown, chart.getSnapshot().value]).toEqual([["es", "ru"], "saving"]);
  const refusal = { status: 422, body: { code: "invalid_input", message: "Not now." } };
  saving.reject(refusal);
  await rests();
  expect(chart.getSnapshot().context).toEqual({
    saved: "es",
    wanted: "ru",
    problem: "Not now.",
  });
});
