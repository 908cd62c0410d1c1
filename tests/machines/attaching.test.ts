import { expect, it } from "vitest";
import { english } from "../support/english.ts";
import { fileProblem } from "../../src/machines/composer/composer.attaching.ts";

it.each([
  ["offer.png", "image/png", 1, undefined],
  // Without a type from the browser, the file's name decides.
  ["film.MOV", "", 1, undefined],
  ["notes", "", 1, /^notes cannot be attached/],
  ["logo.svg", "image/svg+xml", 1, /^logo\.svg cannot be attached/],
  ["offer.pdf", "application/pdf", 1, /^offer\.pdf cannot be attached/],
  ["offer.png", "image/png", 0, /is empty/],
  ["film.mp4", "video/mp4", 10_485_761, /larger than 10 MB/],
])("says why the file %s of type '%s' with %i bytes cannot be attached", (name, type, size, problem) => {
  const notices = fileProblem({ name, type, size });
  expect(problem === undefined ? notices : problem.test(english(notices ?? ""))).toEqual(
    problem === undefined ? undefined : true,
  );
});
