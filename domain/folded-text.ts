/** A folded text, and for each of its units where in the original it comes from, in UTF-16 units. */
export type FoldedText = { folded: string; from: number[]; to: number[] };

/**
 * Folds a text by grapheme cluster, because normalization never joins two, and maps each folded unit to its origin.
 * @param fold folds a cluster, and makes white space a single space
 */
export function foldText(text: string, fold: (cluster: string) => string): FoldedText {
  const pieces: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const known = new Map<string, string>();
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
    let piece = known.get(segment) ?? fold(segment);
    known.set(segment, piece);
    if (piece.startsWith(" ") && pieces.at(-1)?.endsWith(" ")) piece = piece.slice(1);
    if (piece === "") continue;
    pieces.push(piece);
    for (let unit = 0; unit < piece.length; unit += 1) {
      from.push(index);
      to.push(index + segment.length);
    }
  }
  return { folded: pieces.join(""), from, to };
}
