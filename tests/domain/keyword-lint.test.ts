import { expect, test } from "vitest";
import { excerptOf } from "../../domain/keyword-excerpt.ts";
import { insideWord, keywordWarningMessage, overlapsOf, warningsOf } from "../../domain/keyword-lint.ts";
import type { StageKeywords } from "../../domain/keywords.ts";
import { english } from "../support/english.ts";
import { randomStream } from "../support/seed.ts";

const stagesOf = (...lists: string[][]): StageKeywords[] =>
  lists.map((keywords, index) => ({ id: `s${index + 1}`, order: index + 1, keywords }));

test("lists keywords that repeat or contain each other, with both stages", () => {
  const { overlaps, total } = overlapsOf(
    stagesOf(["hello"], ["Price", '"art"', "ten"], ["price list", '"PRICE"', "party", "state of art"]),
  );
  expect(overlaps).toEqual([
    { keyword: "price list", stage: "s3", other: "Price", other_stage: "s2", kind: "contains" },
    { keyword: "PRICE", stage: "s3", other: "Price", other_stage: "s2", kind: "same" },
    { keyword: "state of art", stage: "s3", other: "art", other_stage: "s2", kind: "contains" },
  ]);
  expect(total).toBe(3);
  expect(overlapsOf(stagesOf(["a", ""], ["hello", "hello there"]))).toEqual({ overlaps: [], total: 0 });
  expect(overlapsOf([])).toEqual({ overlaps: [], total: 0 });
});

test("finds the same overlaps as a pairwise comparison, and counts unlisted ones", () => {
  const random = randomStream(3);
  const word = () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => "абab "[Math.floor(random() * 5)]).join("");
  for (let round = 0; round < 60; round += 1) {
    const lists = Array.from({ length: 3 }, () =>
      [...new Set(Array.from({ length: 5 }, () => `x${word().trim()}`))].map((text) =>
        random() < 0.3 ? `"${text}"` : text,
      ),
    );
    const stages = stagesOf(...lists);
    const all = stages.flatMap(({ id, order, keywords }) =>
      keywords
        .filter((keyword) => keyword !== "x")
        .map((keyword) => ({
          id,
          order,
          text: keyword.replaceAll('"', "").replace(/ +/g, " "),
          isQuoted: keyword.startsWith('"'),
        })),
    );
    const expected = all.flatMap((long) =>
      all
        .filter((other) => other.id !== long.id)
        .filter(({ text, isQuoted }) => (isQuoted ? ` ${long.text} `.includes(` ${text} `) : long.text.includes(text)))
        .filter(({ text, order }) => text !== long.text || long.order > order)
        .map((other) => `${long.id} ${long.text} > ${other.id} ${other.text}`),
    );
    const { overlaps, total } = overlapsOf(stages);
    const found = overlaps.map(({ keyword, stage, other, other_stage: at }) => `${stage} ${keyword} > ${at} ${other}`);
    // A keyword with quotes and the same one without are listed separately.
    expect([stages, found.map((line) => line.replace(/ +/g, " ")).toSorted()]).toEqual([stages, expected.toSorted()]);
    expect(total).toBe(expected.length);
  }
  const many = stagesOf(
    ["x"],
    Array.from({ length: 400 }, (_, n) => `word ${n} end`),
    Array.from({ length: 400 }, (_, n) => `a word ${n} end`),
  );
  expect([overlapsOf(many).overlaps.length, overlapsOf(many).total]).toEqual([200, 400]);
});

test("warns of keywords that never match, are very short, or mix alphabets", () => {
  const warned = warningsOf(
    stagesOf(["ок", "hello"], ["y", '"y"', "ok", "да", "价格", "prіce list", "сrm", "SMMщик", "CRM-система", "ок!"]),
  );
  expect(warned.map(({ stage, keyword, code }) => [stage, keyword, code])).toEqual([
    ["s2", "y", "ignored"],
    ["s2", "ok", "short"],
    ["s2", "да", "short"],
    ["s2", "prіce list", "mixed_scripts"],
    ["s2", "сrm", "mixed_scripts"],
  ]);
  expect(warned.map((warning) => english(keywordWarningMessage(warning)))).toEqual([
    "The keyword y is too short and is ignored: put it in quotes to match it as a word.",
    "“ok” is so short that it occurs inside many words. Put it in quotes to match it as a whole word.",
    "“да” is so short that it occurs inside many words. Put it in quotes to match it as a whole word.",
    "“prіce” mixes letters that look alike: its “і” is Cyrillic, other letters are Latin. People who type it in one alphabet are not found; type it again.",
    "“сrm” mixes letters that look alike: its “с” is Cyrillic, other letters are Latin. People who type it in one alphabet are not found; type it again.",
  ]);
});

test("distinguishes a keyword inside a longer word from a word with an ending", () => {
  const looks: [text: string, keyword: string, word: string | null][] = [
    ["Let us START now", "art", "start"],
    ["the prices are high", "price", null],
    ["on the carpet", "car", "carpet"],
    ["two cars", "car", null],
    ["two carts", "car", "carts"],
    ["art and party", "art", null],
    ["no such thing", "art", null],
    ["startup", '"art"', null],
    ["我想知道价格", "价格", null],
    ["подорожник", "дорож", "подорожник"],
    ["a 100% win", "% win", null],
  ];
  expect(looks.map(([text, keyword]) => [text, keyword, insideWord(text, keyword)])).toEqual(looks);
});

test.each(["a", "😀"])("shows a keyword at the end of a long text of %s as a whole", (letter) => {
  for (const length of [150, 151, 160, 161, 400]) {
    const { excerpt, matched } = excerptOf(`${letter.repeat(length)} price`, "price");
    expect(excerpt.endsWith(" price")).toBe(true);
    expect(excerpt.length).toBeLessThanOrEqual(160);
    expect(matched).toEqual({ start: excerpt.length - 5, length: 5 });
  }
});

test("keeps the keyword's position in its excerpt, and splits no character", () => {
  expect(excerptOf("What is the Price?", "price")).toEqual({
    excerpt: "What is the Price?",
    matched: { start: 12, length: 5 },
  });
  expect(excerptOf("gone by now", "price")).toEqual({ excerpt: "gone by now", matched: null });
  expect(excerptOf("party, art or more art", '"art"').matched).toEqual({ start: 7, length: 3 });
  for (let before = 0; before < 400; before += 7) {
    const text = `${"😀".repeat(before)} PRICE ${"😀".repeat(400 - before)}`;
    const { excerpt, matched } = excerptOf(text, "price");
    expect(excerpt.length).toBeLessThanOrEqual(160);
    expect(excerpt.isWellFormed()).toBe(true);
    expect(excerpt.slice(matched?.start, (matched?.start ?? 0) + (matched?.length ?? 0))).toBe("PRICE");
  }
});
