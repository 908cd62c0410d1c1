import { expect, it, vi } from "vitest";

/** The formatting module as a browser of this language has it: what formats is made once, by the language of the first use. */
async function formatsIn(language: string) {
  vi.resetModules();
  vi.spyOn(navigator, "language", "get").mockReturnValue(language);
  return import("../../src/machines/kit/format.ts");
}

it("texts are written for a browser of the POSIX locale as for its own English", async () => {
  const { momentText, numberText, percentText } = await formatsIn("en-US@posix");
  const moment = new Date(2026, 2, 5, 14, 5).toISOString();
  expect([numberText(-1_234), percentText(50), momentText(moment)]).toEqual([
    "-1,234",
    "50%",
    expect.stringMatching(/^5 March 2026, 2:05\sPM$/),
  ]);
});

it("an hour before ten has two digits where a day has twenty-four hours", async () => {
  const { clockText, momentText } = await formatsIn("en-GB");
  const moment = new Date(2026, 2, 5, 1, 5).toISOString();
  expect([momentText(moment), clockText(moment)]).toEqual(["5 March 2026, 01:05", "01:05"]);
});
