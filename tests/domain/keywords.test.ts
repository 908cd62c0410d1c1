import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeUnitsOf, isOptOut, normalizeText } from "../../domain/keyword-text.ts";
import { keywordWarnings, readKeyword } from "../../domain/keyword.ts";
import { OPT_OUT_WORDS } from "../../domain/settings.ts";
import { splitKeywords } from "../../domain/stage.ts";
import { compileInSteps, compileStageMatcher, type StageKeywords } from "../../domain/keywords.ts";
import { english } from "../support/english.ts";

const stages: StageKeywords[] = [
  { id: "first", order: 1, keywords: ["hello"] },
  { id: "interest", order: 2, keywords: ["price", '"demo"'] },
  { id: "deposit", order: 3, keywords: ["deposit", '"high intent"'] },
];
const matcher = compileStageMatcher(stages);
const keywordIn = (text: string) => matcher.match(text)?.keyword ?? null;

describe("keywords as users write them", () => {
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
  ])("matches %j with %j", (text, keyword) => {
    expect(keywordIn(text)).toBe(keyword);
  });

  test.each([
    [
      "a quoted word in Cyrillic is matched whole, not inside a longer one",
      '"цена"',
      "Какая ЦЕНА?",
      "ценах",
      undefined,
    ],
    ["a quoted Chinese word ends where a word ends", '"价格"', "请问价格是多少", "问候", undefined],
    ["typographic quotes, as phones type them, are quotes", "“price”", "What is the price?", "prices", undefined],
    ["guillemets are quotes", "«цена»", "Какая цена?", "ценах", undefined],
    ["letters that form a syllable are matched as one", "한국", "한국".normalize("NFD"), "ᄒ", undefined],
    ["a keyword that ends inside another still counts", "he", "she left", "she said no", "c"],
  ])("%s", (_what, keyword, named, other, stage) => {
    const { match } = compileStageMatcher([
      { id: "a", order: 1, keywords: [] },
      { id: "b", order: 2, keywords: [keyword] },
      { id: "c", order: 3, keywords: ["she said"] },
    ]);
    expect([match(named)?.stageId, match(other)?.stageId]).toEqual(["b", stage]);
  });
});

describe("keywords too short to mean anything", () => {
  const short = compileStageMatcher([
    { id: "a", order: 1, keywords: [] },
    { id: "b", order: 2, keywords: ["", '""', "e", "\u200b1", '"x"', "ok"] },
  ]);

  test("match nothing when empty or a single character without quotes", () => {
    expect(short.match("e1 everyone, here we are")).toBeNull();
  });
  test("match as a word when a single character is in quotes", () => {
    expect(short.match("size X please")?.keyword).toBe('"x"');
    expect(short.match("taxi")).toBeNull();
  });
  test("cause a warning that says what to do", () => {
    expect(keywordWarnings(["e", '""', '"x"', "ok", "🎉🎉", "цена"]).map(english)).toEqual([
      "The keyword e is too short and is ignored: put it in quotes to match it as a word.",
      'The keyword "" is empty and is ignored.',
    ]);
  });
});

/** A naive implementation of the rules, one keyword after another. */
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

const words = "price Price demo demos deposit HIGH intent \u200b é e\u0301 \u1112\u1161 ß İ Σ 🎉 𝒑 ﬁ _ , 你好".split(
  " ",
);
const fragment = fc.constantFrom(...words, " ", "  ");
const message = fc
  .array(fc.oneof(fragment, fc.string({ unit: "grapheme", maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join(""));

test("matches like the plain rules on any text", () => {
  fc.assert(
    fc.property(message, (text) => {
      expect(keywordIn(text)).toBe(naiveMatch(text));
    }),
    { numRuns: 3000 },
  );
});

test("folds text like Unicode normalization", () => {
  fc.assert(
    fc.property(message, (text) => {
      const { units, length } = codeUnitsOf(text);
      expect(String.fromCharCode(...units.subarray(0, length))).toBe(normalizeText(text));
    }),
    { numRuns: 3000 },
  );
});

describe("a large set of keywords", () => {
  const han = (place: number) => String.fromCharCode(0x4e00 + (place % 20_000));
  /** 30 stages of 200 phrases, 100,000 Han characters in all */
  const large = Array.from({ length: 30 }, (_, stage) => ({
    id: `stage ${stage}`,
    order: stage + 1,
    keywords: Array.from({ length: 200 }, (__, phrase) =>
      Array.from({ length: 17 }, (___, at) =>
        han((stage * 7_919 + phrase * 104_729 + at * 1_299_709) % 1_000_003),
      ).join(""),
    ),
  }));

  test("takes a few megabytes for 100,000 Han characters", () => {
    expect(compileStageMatcher(large).bytes).toBeLessThan(10_000_000);
  });

  test("is compiled in many short steps", () => {
    let steps = 0;
    for (const compiling = compileInSteps(large); compiling.next().done !== true;) steps += 1;
    expect(steps).toBeGreaterThan(100);
  });

  test("gives the same results as a search for each keyword", () => {
    const matcher = compileStageMatcher(large);
    const plain = (text: string) =>
      large.slice(1).findLast(({ keywords }) => keywords.some((keyword) => text.includes(keyword)))?.id ?? null;
    const texts = large.flatMap(({ keywords }, index) => [
      `${keywords[3]}`,
      `${keywords[7]?.slice(1)}${keywords[9]}`,
      `${keywords[1]?.slice(0, 16)}${large[(index + 5) % 30]?.keywords[11]}`,
      `${keywords[2]?.slice(0, 16)}`,
    ]);
    expect(texts.map((text) => matcher.match(text)?.stageId ?? null)).toEqual(texts.map(plain));
    expect(texts.filter((text) => plain(text) !== null).length).toBeGreaterThan(60);
  });

  test("gives the same results for overlapping, nested and duplicate keywords", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "й", "水"), minLength: 2, maxLength: 6 });
    const filler = Array.from({ length: 1_500 }, (_, place) => `${han(place * 3)}${han(place * 5)}${han(place * 7)}q`);
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 12 }),
        fc.array(word, { maxLength: 12 }),
        word,
        word,
        (two, three, left, right) => {
          const small = [
            { id: "one", order: 1, keywords: [] },
            { id: "two", order: 2, keywords: two },
            { id: "three", order: 3, keywords: [...three, ...three.map((each) => `"${each}"`)] },
          ];
          const grown = small.map((stage) =>
            stage.id === "two" ? { ...stage, keywords: [...two, ...filler] } : stage,
          );
          const text = `${left}${right} ${right}${left}${left}`;
          expect(compileStageMatcher(grown).match(text)).toEqual(compileStageMatcher(small).match(text));
        },
      ),
      { numRuns: 60 },
    );
  });
});

test("splits typed keywords at Latin and Arabic commas", () => {
  expect(splitKeywords('price, "how much" ,سعر، شراء ,')).toEqual(["price", '"how much"', "سعر", "شراء"]);
});

const OPT_OUTS = "STOP Стоп Отписаться Відписатися To'xtatish To’xtatish To‘xtatish Toʻxtatish Baja Sair Berhenti توقف";
test.each(OPT_OUTS.split(" "))("takes the whole message %j as an opt-out by default", (text) =>
  expect([isOptOut(` ${text} `, OPT_OUT_WORDS), isOptOut(`${text}?`, OPT_OUT_WORDS)]).toEqual([true, false]),
);
