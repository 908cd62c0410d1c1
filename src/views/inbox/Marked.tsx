import { type Place, placeInName, placeInWords } from "../../../domain/search-place.ts";

export type MarkedProps = {
  text: string;
  /** What was searched for; empty for nothing. */
  q: string;
  /** Names hold a search in any part of them, messages at the beginning of a word. */
  isName?: boolean;
};

export default function Marked({ text, q, isName = false }: MarkedProps) {
  const place: Place | null = q === "" ? null : isName ? placeInName(text, q) : placeInWords(text, q);
  if (place === null) return text;
  const { start, length } = place;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, start + length)}</mark>
      {text.slice(start + length)}
    </>
  );
}
