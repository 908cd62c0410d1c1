import { expect, it, vi } from "vitest";
import { momentText, numberText, percentText } from "../../src/machines/kit/format.ts";

// A file of its own: what formats is made once for the page, by the language of the first use.
it("texts are written for a browser of the POSIX locale as for its own English", () => {
  vi.spyOn(navigator, "language", "get").mockReturnValue("en-US@posix");
  const moment = new Date(2026, 2, 5, 14, 5).toISOString();
  expect([numberText(-1_234), percentText(50), momentText(moment)]).toEqual([
    "-1,234",
    "50%",
    expect.stringMatching(/^5 March 2026, 2:05\sPM$/),
  ]);
});
