const startsWith = (bytes: Uint8Array, ...sign: readonly number[]): boolean =>
  sign.every((byte, place) => bytes[place] === byte);

const SPREADSHEET = "This is a spreadsheet file and no CSV.";
const UTF_16 = "This file is in UTF-16, as Excel’s ‘Unicode Text’ is.";
export const NO_CSV = "This is not a CSV file.";

/** How files of other kinds begin: zip with spreadsheets in it and old spreadsheets; pictures, PDF, gzip. */
const STARTS: readonly (readonly [sign: readonly number[], words: string])[] = [
  [[0xff, 0xfe], UTF_16],
  [[0xfe, 0xff], UTF_16],
  [[0x50, 0x4b, 0x03, 0x04], SPREADSHEET],
  [[0xd0, 0xcf, 0x11, 0xe0], SPREADSHEET],
  [[0x89, 0x50, 0x4e, 0x47], NO_CSV],
  [[0xff, 0xd8, 0xff], NO_CSV],
  [[0x47, 0x49, 0x46, 0x38], NO_CSV],
  [[0x25, 0x50, 0x44, 0x46], NO_CSV],
  [[0x1f, 0x8b], NO_CSV],
];
const LOOKED_AT = 200;

/** UTF-16 without its mark: every other byte of plain letters is zero, and none between them. */
function isBareUtf16(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, LOOKED_AT);
  const zeros = [0, 1].map((side) => head.filter((byte, place) => byte === 0 && place % 2 === side).length);
  return Math.max(...zeros) > head.length / 4 && Math.min(...zeros) === 0;
}

/** What a file is that is no CSV in UTF-8, told from its first bytes in a sentence; null where nothing speaks against it. */
export function otherThanCsv(bytes: Uint8Array): string | null {
  const start = STARTS.find(([sign]) => startsWith(bytes, ...sign));
  if (start !== undefined) return start[1];
  return isBareUtf16(bytes) ? UTF_16 : null;
}
