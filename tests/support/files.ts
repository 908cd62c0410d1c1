/** The smallest file of each type that the server recognises by its first bytes. */
export const PNG: Buffer<ArrayBuffer> = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
export const GIF = Buffer.from("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64");
export const JPEG = Buffer.concat([
  Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"),
  Buffer.from("ffd9", "hex"),
]);
export const WEBP = Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64");
const box = (brand: string) =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 20]),
    Buffer.from(`ftyp${brand}`),
    Buffer.from([0, 0, 2, 0]),
    Buffer.from(brand),
  ]);
export const MP4 = Buffer.concat([box("isom"), Buffer.alloc(64)]);
export const MOV = Buffer.concat([box("qt  "), Buffer.alloc(64)]);
export const WEBM = Buffer.concat([
  Buffer.from("1a45dfa3974286810142f7810142f2810442f381084282847765626d", "hex"),
  Buffer.alloc(64),
]);
export const SVG = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
);
export const HTML = Buffer.from("<!doctype html><script>alert(1)</script>");
export const ZIP = Buffer.from("504b0304140000000800000000000000000000000000000000000000000000000000", "hex");
export const PDF = Buffer.from("%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n");

/** Returns a picture of exactly this many bytes. */
export const pngOf = (bytes: number): Buffer<ArrayBuffer> => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]);
