import { expect, it, vi } from "vitest";
import { placeInName, placesInWords } from "../../domain/search-place.ts";

it("folds a text once for all words of a search", () => {
  const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
  const places = placesInWords("Жду  ЦЕНУ,\nкафе é à é", "e кафе цен ждать ж");
  expect(places).toEqual([
    { start: 16, length: 1 },
    { start: 11, length: 4 },
    { start: 5, length: 3 },
    null,
    { start: 0, length: 1 },
  ]);
  expect(segment).toHaveBeenCalledOnce();
});

it("reads any run of white space in a name as one space", () =>
  expect(placeInName("Ann \t\n Lee", " ann   lee ")).toEqual({ start: 0, length: 10 }));
