/** A folded text. For each of its UTF-16 units, `from` and `to` give the range in the original text. */
export type FoldedText = { folded: string; from: number[]; to: number[] };

/**
 * Folds a text cluster by cluster and maps each folded unit to its origin. Normalization never joins two grapheme clusters.
 * @param fold folds one cluster, and returns a single space for white space
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
