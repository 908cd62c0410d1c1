import { crc32, deflateSync } from "node:zlib";
import type { tl } from "@mtcute/core";
import { addFile, type NewFile } from "./files.ts";
import type { World } from "./world.ts";

export const SAMPLE_KINDS = ["photo", "video", "voice", "audio", "document", "sticker"] as const;
export type SampleKind = (typeof SAMPLE_KINDS)[number];

const PHOTO = { width: 320, height: 240 };
const PREVIEW = { width: 16, height: 12 };
const SECONDS = 3;
const RATE = 8_000;
const DOCUMENT_BYTES = 1_500_000;
/** A second of an eight by eight picture. */
const VIDEO =
  "GkXfo0AgQoaBAUL3gQFC8oEEQvOBCEKCQAR3ZWJtQoeBAkKFgQIYU4BnQI0VSalmQCgq17FAAw9CQE2AQAZ3aGFtbXlXQUAGd2hhbW15RIlACECPQAAAAAAAFlSua0AxrkAu14EBY8WBAZyBACK1nEADdW5khkAFVl9WUDglhohAA1ZQOIOBAeBABrCBCLqBCB9DtnVAIueBAKNAHIEAAIAwAQCdASoIAAgAAUAmJaQAA3AA/vz0AAA=";
const STICKER = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA";

/** The file that people send here of each kind; made once. */
export function sampleFile(world: World, kind: SampleKind): number {
  return Number(world.store.keep(`sample_${kind}`, () => String(addFile(world, sampleOf(world, kind)).file_id)));
}

function sampleOf(world: World, kind: SampleKind): NewFile {
  const plain = { name: null, width: null, height: null, dc_id: world.mainDcId };
  const document = (mimeType: string, attributes: tl.TypeDocumentAttribute[], bytes: Uint8Array): NewFile => ({
    ...plain,
    kind: "document",
    mime_type: mimeType,
    attributes,
    bytes,
  });
  switch (kind) {
    case "photo":
      return { ...plain, ...PHOTO, kind: "photo", mime_type: "image/png", attributes: [], bytes: picture(PHOTO) };
    case "video":
      return document(
        "video/webm",
        [{ _: "documentAttributeVideo", duration: 1, w: 8, h: 8, supportsStreaming: true }],
        Buffer.from(VIDEO, "base64"),
      );
    case "voice":
      return document("audio/wav", [{ _: "documentAttributeAudio", voice: true, duration: SECONDS }], tone(440));
    case "audio":
      return document(
        "audio/wav",
        [
          { _: "documentAttributeAudio", duration: SECONDS, title: "A tone" },
          { _: "documentAttributeFilename", fileName: "tone.wav" },
        ],
        tone(660),
      );
    case "document":
      return document(
        "application/pdf",
        [{ _: "documentAttributeFilename", fileName: "offer.pdf" }],
        Buffer.concat([Buffer.from("%PDF-1.4\n% a sample\n"), Buffer.alloc(DOCUMENT_BYTES, "0123456789abcdef")]),
      );
    case "sticker":
      return document(
        "image/webp",
        [
          { _: "documentAttributeSticker", alt: "🙂", stickerset: { _: "inputStickerSetEmpty" } },
          { _: "documentAttributeImageSize", w: 512, h: 512 },
        ],
        Buffer.from(STICKER, "base64"),
      );
  }
}

/** The tiny picture that comes along with a photo. */
export const samplePreview = (): tl.RawPhotoCachedSize => ({
  _: "photoCachedSize",
  type: "s",
  w: PREVIEW.width,
  h: PREVIEW.height,
  bytes: picture(PREVIEW),
});

/** A PNG of a blue to green slope. */
function picture({ width, height }: { width: number; height: number }): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * (1 + width * 3) + 1 + x * 3;
      rows[at] = 40;
      rows[at + 1] = Math.floor((255 * x) / width);
      rows[at + 2] = Math.floor((255 * (height - y)) / height);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Three seconds of a tone as WAV, 8 bits. */
function tone(hertz: number): Buffer {
  const samples = Buffer.from(
    Array.from(
      { length: SECONDS * RATE },
      (_none, at) => 128 + Math.round(60 * Math.sin((2 * Math.PI * hertz * at) / RATE)),
    ),
  );
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
