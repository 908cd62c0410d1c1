const startsWith = (bytes: Uint8Array, ...sign: readonly number[]): boolean =>
  sign.every((byte, place) => bytes[place] === byte);

/** The kind of a file that is not CSV in UTF-8. */
export type OtherFile = "spreadsheet" | "utf_16" | "no_csv";

/** First bytes of other file types: new and old spreadsheets; pictures, PDF, gzip. */
const STARTS: readonly (readonly [sign: readonly number[], kind: OtherFile])[] = [
  [[0xff, 0xfe], "utf_16"],
  [[0xfe, 0xff], "utf_16"],
  [[0x50, 0x4b, 0x03, 0x04], "spreadsheet"],
  [[0xd0, 0xcf, 0x11, 0xe0], "spreadsheet"],
  [[0x89, 0x50, 0x4e, 0x47], "no_csv"],
  [[0xff, 0xd8, 0xff], "no_csv"],
  [[0x47, 0x49, 0x46, 0x38], "no_csv"],
  [[0x25, 0x50, 0x44, 0x46], "no_csv"],
  [[0x1f, 0x8b], "no_csv"],
];
const LOOKED_AT = 200;

/** UTF-16 without a byte order mark: in plain letters every other byte is zero, and no other byte is. */
function isBareUtf16(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, LOOKED_AT);
  const zeros = [0, 1].map((side) => head.filter((byte, place) => byte === 0 && place % 2 === side).length);
  return Math.max(...zeros) > head.length / 4 && Math.min(...zeros) === 0;
}

/** Detects a file's kind by its first bytes; null if it may be CSV in UTF-8. */
export function detectOtherFormat(bytes: Uint8Array): OtherFile | null {
  const start = STARTS.find(([sign]) => startsWith(bytes, ...sign));
  if (start !== undefined) return start[1];
  return isBareUtf16(bytes) ? "utf_16" : null;
}
