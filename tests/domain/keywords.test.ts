import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeUnitsOf, normalizeText } from "../../domain/keyword-text.ts";
import { keywordWarnings, readKeyword } from "../../domain/keyword.ts";
import { compileStageMatcher, type StageKeywords } from "../../domain/keywords.ts";

const stages: StageKeywords[] = [
  { id: "first", order: 1, keywords: ["hello"] },
  { id: "interest", order: 2, keywords: ["price", '"demo"'] },
  { id: "deposit", order: 3, keywords: ["deposit", '"high intent"'] },
];
const matcher = compileStageMatcher(stages);
const keywordIn = (text: string) => matcher.match(text)?.keyword ?? null;

describe("the words a person uses", () => {
  test.each([
    ["I deposited yesterday", "deposit"],
    ["What is the PRICE?", "price"],
    ["a demo, please", '"demo"'],
    ["demonstration", null],
    ["they have high   intent now", '"high intent"'],
    ["highly intent", null],
    ["hello", null],
    ["price and then deposit", "deposit"],
    ["ｐｒｉｃｅ in full width", "price"],
    ["pri\u200Bce split by a zero-width space", "price"],
    ["", null],
  ])("%j names %j", (text, keyword) => {
    expect(keywordIn(text)).toBe(keyword);
  });

  test("a quoted word in Cyrillic is matched whole, not inside a longer one", () => {
    const cyrillic = compileStageMatcher([
      { id: "a", order: 1, keywords: [] },
      { id: "b", order: 2, keywords: ['"цена"'] },
    ]);
    expect(cyrillic.match("Какая ЦЕНА?")?.stageId).toBe("b");
    expect(cyrillic.match("ценах")).toBeNull();
  });

  test("a quoted Chinese word ends where a word ends", () => {
    const chinese = compileStageMatcher([
      { id: "a", order: 1, keywords: [] },
      { id: "b", order: 2, keywords: ['"价格"'] },
    ]);
    expect(chinese.match("请问价格是多少")?.stageId).toBe("b");
    expect(chinese.match("问候")).toBeNull();
  });

  test("a keyword that ends inside another still counts", () => {
    const nested = compileStageMatcher([
      { id: "a", order: 1, keywords: [] },
      { id: "b", order: 2, keywords: ["he"] },
      { id: "c", order: 3, keywords: ["she said"] },
    ]);
    expect(nested.match("she left")?.stageId).toBe("b");
    expect(nested.match("she said no")?.stageId).toBe("c");
  });
});

describe("keywords too short to mean anything", () => {
  const short = compileStageMatcher([
    { id: "a", order: 1, keywords: [] },
    { id: "b", order: 2, keywords: ["", '""', "e", "\u200b1", '"x"', "ok"] },
  ]);

  test("match nothing, neither empty ones nor a single character without quotes", () => {
    expect(short.match("e1 everyone, here we are")).toBeNull();
  });
  test("still match as a word when a single character stands in quotes", () => {
    expect(short.match("size X please")?.keyword).toBe('"x"');
    expect(short.match("taxi")).toBeNull();
  });
  test("are told of, each with what to do", () => {
    expect(keywordWarnings(["e", '""', '"x"', "ok", "🎉🎉", "цена"])).toEqual([
      "The keyword e is too short and is ignored: put it in quotes to match it as a word.",
      'The keyword "" is empty and is ignored.',
    ]);
  });
});

/** The rules as anybody would write them, one keyword after another. */
function naiveMatch(text: string): string | null {
  const normal = normalizeText(text);
  const later = stages
    .toSorted((a, b) => a.order - b.order)
    .slice(1)
    .toReversed();
  for (const stage of later) {
    for (const keyword of stage.keywords) {
      const { text: raw, isQuoted } = readKeyword(keyword);
      const needle = normalizeText(raw);
      const whole = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])${RegExp.escape(needle)}(?![\\p{L}\\p{M}\\p{N}_])`, "u");
      if (isQuoted ? whole.test(normal) : normal.includes(needle)) return keyword;
    }
  }
  return null;
}

const fragment = fc.constantFrom(
  "price",
  "Price",
  "demo",
  "demos",
  "deposit",
  "HIGH",
  " ",
  "  ",
  "intent",
  "\u200b",
  "é",
  "e\u0301",
  "ß",
  "İ",
  "Σ",
  "🎉",
  "𝒑",
  "ﬁ",
  "_",
  ",",
  "你好",
);
const message = fc
  .array(fc.oneof(fragment, fc.string({ unit: "grapheme", maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join(""));

test("the automaton gives the answers of the plain rules on any text", () => {
  fc.assert(
    fc.property(message, (text) => {
      expect(keywordIn(text)).toBe(naiveMatch(text));
    }),
    { numRuns: 3000 },
  );
});

test("the folding table reads a text as normalization does", () => {
  fc.assert(
    fc.property(message, (text) => {
      const { units, length } = codeUnitsOf(text);
      expect(String.fromCharCode(...units.subarray(0, length))).toBe(normalizeText(text));
    }),
    { numRuns: 3000 },
  );
});
