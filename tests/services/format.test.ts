import { expect, it, vi } from "vitest";

/** The formatting module as a browser of this language has it: what formats is made once, by the language of the first use. */
async function formatsIn(language: string) {
  vi.resetModules();
  vi.spyOn(navigator, "language", "get").mockReturnValue(language);
  return import("../../src/language/format.ts");
}

it("texts are written for a browser of the POSIX locale as for its own English", async () => {
  const { numberText, percentText } = await formatsIn("en-US@posix");
  expect([numberText(-1_234), percentText(50)]).toEqual(["-1,234", "50%"]);
});

it.each(["en-US", "en-GB", "de"])("writes every time of day in one format in a browser of %s", async (language) => {
  const { dateText, hourText, inOwnTime, momentText } = await formatsIn(language);
  const moment = new Date(2026, 2, 5, 14, 5);
  const at = moment.toISOString();
  expect([hourText(at), momentText(at)]).toEqual(["14:05", `${dateText(at)}, 14:05`]);
  const utc = `${moment.getUTCDate()} March 2026, ${at.slice(11, 16)} UTC`;
  expect(inOwnTime(`Waits until ${utc}, because Telegram asked for a pause.`)).toEqual(
    "Waits until 5 March 2026, 14:05, because Telegram asked for a pause.",
  );
  expect(inOwnTime("Sent.")).toEqual("Sent.");
});
