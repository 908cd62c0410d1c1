import { placeOfKeyword } from "./keyword-place.ts";

type Place = { start: number; length: number };

const EXCERPT_CHARS = 160;
const BEFORE_CHARS = 60;
const MORE = "…";
/** The end of a long text that fits after `MORE`, even if the cut moves to the start of a surrogate pair. */
const END_CHARS = EXCERPT_CHARS - MORE.length - 1;

/** The original text around a keyword, and the keyword's position in it, in UTF-16 units. Never splits a character. */
export function excerptOf(text: string, keyword: string): { excerpt: string; matched: Place | null } {
  return excerptAround(text, placeOfKeyword(text, keyword));
}

/** The same around a known position. */
export function excerptAround(text: string, place: Place | null): { excerpt: string; matched: Place | null } {
  const wanted = Math.max(0, (place?.start ?? 0) - BEFORE_CHARS);
  const from = text.length <= EXCERPT_CHARS ? 0 : wholeAt(text, Math.min(wanted, text.length - END_CHARS));
  const head = from > 0 ? MORE : "";
  const room = EXCERPT_CHARS - head.length;
  const isWhole = text.length - from <= room;
  const to = isWhole ? text.length : wholeAt(text, from + room - MORE.length);
  const excerpt = head + text.slice(from, to) + (isWhole ? "" : MORE);
  if (place === null) return { excerpt, matched: null };
  const length = Math.min(place.length, to - place.start);
  return { excerpt, matched: length > 0 ? { start: place.start - from + head.length, length } : null };
}

/** The same position, or the one before it if that starts a surrogate pair. */
const wholeAt = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at);
