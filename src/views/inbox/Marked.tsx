import { type Place, placeInName, placeInWords } from "../../../domain/search-place.ts";

export type MarkedProps = {
  text: string;
  /** The search text; empty for none. */
  q: string;
  /** A search matches any part of a name, but only the start of words in messages. */
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
