import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";

const LETTERS = "aàbḃcçdđeéfƒgĝhĥiîjĵkķlĺmṁnñoôpṗrŕsŝtţuûvṽwŵxẋyýzžAÀBḂCÇDĐEÉFƑGĜHĤIÎJĴKĶLĹMṀNÑOÔPṖRŔSŜTŢUÛVṼWŴXẊYÝZŽ";
const accents = new Map(
  Array.from({ length: LETTERS.length / 2 }, (_, pair) => [LETTERS[pair * 2], LETTERS[pair * 2 + 1]]),
);
const GROWTH = 0.4;
const TAG = /(<\/?\d+\/?>)/;

/** Accents the letters of a text and makes it 40 % longer. Numbered tags stay unchanged. */
function lengthen(text: string): string {
  return text
    .split(TAG)
    .map((part) => {
      if (TAG.test(part)) return part;
      const letters = part.match(/\p{L}/gu)?.length ?? 0;
      const accented = part.replaceAll(/[a-zA-Z]/g, (letter) => accents.get(letter) ?? letter);
      // Lengthens the last word: a separate word could wrap onto its own line.
      return accented.replace(/(?=[^\p{L}]*$)/u, "~".repeat(Math.ceil(letters * GROWTH)));
    })
    .join("");
}

/** Returns the message compiled for the pseudo-locale: in ⟦brackets⟧, longer, with accents. */
export const pseudo = (message: string) => ["⟦", ...compileMessageOrThrow(message, lengthen), "⟧"];
