import { compileStageMatcher } from "../../domain/keywords.ts";
import { randomStream } from "../../tests/support/seed.ts";
import { median, round } from "./measure.ts";

const words =
  "hello thanks maybe tomorrow office meeting вопрос сегодня можно встреча quick check about your offer later okay please".split(
    " ",
  );
const random = randomStream(5);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const letters = Array.from("abcdefghiklmnoprstuvабвгдеклмнопрст");
const makeWord = (): string => Array.from({ length: 5 + Math.floor(random() * 6) }, () => pick(letters)).join("");

/** Builds 200 unquoted keywords in twenty stages, and messages of about 84 characters; every fifth message contains a keyword. */
function dataset() {
  const keywords = Array.from({ length: 200 }, makeWord);
  const stages = Array.from({ length: 21 }, (_, index) => ({
    id: String(index),
    order: index + 1,
    keywords: index === 0 ? [] : keywords.slice((index - 1) * 10, index * 10),
  }));
  const messages = Array.from({ length: 5_000 }, () => {
    const parts: string[] = [];
    while (parts.join(" ").length < 84) parts.push(pick(words));
    if (random() < 0.2) parts.splice(Math.floor(parts.length / 2), 0, pick(keywords).toUpperCase());
    return parts.join(" ");
  });
  return { stages, messages };
}

/** Measures messages per second of the product's matcher and of plain `includes`, on the same messages with the same results. */
export function benchMatching(): Record<string, number> {
  const { stages, messages } = dataset();
  const matcher = compileStageMatcher(stages);
  const ranked = stages
    .slice(1)
    .toReversed()
    .map(({ id, keywords }) => ({ id, keywords: keywords.map((keyword) => keyword.toLowerCase()) }));
  const naive = (text: string): string | null => {
    const lower = text.toLowerCase();
    let found: string | null = null;
    for (const { id, keywords } of ranked) for (const keyword of keywords) if (lower.includes(keyword)) found ??= id;
    return found;
  };
  const differing = messages.filter((text) => (matcher.match(text)?.stageId ?? null) !== naive(text)).length;
  const rate = (work: (text: string) => unknown): number => {
    const from = performance.now();
    for (let turn = 0; turn < 4; turn += 1) for (const text of messages) work(text);
    return (4 * messages.length * 1000) / (performance.now() - from);
  };
  const rounds = Array.from({ length: 7 }, () => ({ ours: rate((text) => matcher.match(text)), plain: rate(naive) }));
  return {
    "results that differ": differing,
    "messages a second, product": Math.round(median(rounds.map(({ ours }) => ours))),
    "messages a second, plain includes": Math.round(median(rounds.map(({ plain }) => plain))),
    "ratio (budget 10)": round(median(rounds.map(({ ours, plain }) => ours / plain))),
  };
}
