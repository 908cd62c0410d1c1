/**
 * How a message's text is read for keywords: NFKC, lower case, zero-width characters gone, white space collapsed to one space.
 * Most messages need none of Unicode's slow paths, so a table folds each code unit while it is copied; a text that holds
 * anything the table cannot fold alone goes through `normalize` first.
 */
export const DROP = 0;
export const SPACE = 0x20;
export const COMPLEX = 0xffff;
const zeroWidth = /[\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]|[\u{FE00}-\u{FE0F}]/gu;
const wordCharacter = /[\p{L}\p{M}\p{N}_]/u;

/** The slow, plain folding of a text; the table must agree with it. */
export function normalizeText(text: string): string {
  return lower(text.normalize("NFKC").replace(zeroWidth, "")).normalize("NFKC").replace(/\s+/g, " ");
}

/** Lower case without its one context rule: a final sigma is a sigma. */
const lower = (text: string): string => text.toLowerCase().replaceAll("\u03c2", "\u03c3");

let table: { fold: Uint16Array; isWord: Uint8Array } | null = null;

function tables(): { fold: Uint16Array; isWord: Uint8Array } {
  if (table !== null) return table;
  const fold = new Uint16Array(65_536);
  const isWord = new Uint8Array(65_536);
  for (let unit = 0; unit < 65_536; unit += 1) {
    const character = String.fromCharCode(unit);
    isWord[unit] = wordCharacter.test(character) ? 1 : 0;
    fold[unit] = foldUnit(unit, character);
  }
  table = { fold, isWord };
  return table;
}

/** Emoji of the planes whose code units no normalization changes. */
const isPlainEmojiUnit = (unit: number): boolean => unit === 0xd83d || unit === 0xd83e;

function foldUnit(unit: number, character: string): number {
  if (unit >= 0xd800 && unit <= 0xdbff) return isPlainEmojiUnit(unit) ? unit : COMPLEX;
  // U+1FBF0 to U+1FBF9 are digits among the emoji; NFKC makes plain digits of them.
  if (unit >= 0xdff0 && unit <= 0xdff9) return COMPLEX;
  if (unit >= 0xdc00 && unit <= 0xdfff) return unit;
  if (/[\p{M}\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF]/u.test(character)) return COMPLEX;
  const normal = normalizeText(character);
  if (normal === "") return DROP;
  if (normal.length > 1 || /[\p{M}]/u.test(normal)) return COMPLEX;
  return normal.charCodeAt(0);
}

/** What a code unit folds to: another unit, `DROP` for nothing, `COMPLEX` if it depends on its neighbours. */
export const foldOf = (unit: number): number => tables().fold[unit] as number;

let buffer = new Uint16Array(8192);

/** The folded code units of a text, in a buffer that the next call overwrites. */
export function codeUnitsOf(text: string): { units: Uint16Array; length: number } {
  const { fold } = tables();
  if (buffer.length < text.length) buffer = new Uint16Array(text.length * 2);
  let length = 0;
  let previous = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = fold[text.charCodeAt(index)] as number;
    if (unit === COMPLEX) return copyUnits(normalizeText(text));
    if (unit === DROP || (unit === SPACE && previous === SPACE)) continue;
    buffer[length] = unit;
    length += 1;
    previous = unit;
  }
  return { units: buffer, length };
}

function copyUnits(text: string): { units: Uint16Array; length: number } {
  if (buffer.length < text.length) buffer = new Uint16Array(text.length * 2);
  for (let index = 0; index < text.length; index += 1) buffer[index] = text.charCodeAt(index);
  return { units: buffer, length: text.length };
}

/** True when the character at that code unit is a letter, mark, digit or underscore; pairs are read as one character. */
export function isWordUnit(units: Uint16Array, index: number, length: number): boolean {
  const unit = units[index] as number;
  if (unit < 0xd800 || unit > 0xdfff) return tables().isWord[unit] === 1;
  const high = unit <= 0xdbff ? index : index - 1;
  if (high < 0 || high + 1 >= length) return false;
  return wordCharacter.test(String.fromCharCode(units[high] as number, units[high + 1] as number));
}

/** Longer messages cannot be a single word: a word has at most 64 characters, and slightly more as typed. */
const LONGEST = 256;

/** Keyboards write one apostrophe, as in `toʻxtatish`, in different ways. */
const wholeWord = (text: string): string =>
  normalizeText(text)
    .replaceAll(/[ʻʼ‘’`]/g, "'")
    .trim();

/** True for a message that consists of one of the words, ignoring case, surrounding spaces, apostrophes' form and Unicode composition. */
export function isOptOut(text: string, words: readonly string[]): boolean {
  if (text.length > LONGEST) return false;
  const whole = wholeWord(text);
  return whole !== "" && words.some((word) => wholeWord(word) === whole);
}
