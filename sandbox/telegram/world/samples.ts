import type { tl } from "@mtcute/core";
import { addFile, type NewFile } from "./files.ts";
import { picture } from "./pictures.ts";
import type { World } from "./world.ts";

export const SAMPLE_KINDS = ["photo", "video", "voice", "audio", "document", "sticker"] as const;
export type SampleKind = (typeof SAMPLE_KINDS)[number];

const PHOTO = { width: 320, height: 240 };
const SECONDS = 3;
const RATE = 8_000;
const DOCUMENT_BYTES = 1_500_000;
/** One second of video, eight by eight pixels. */
const VIDEO =
  "GkXfo0AgQoaBAUL3gQFC8oEEQvOBCEKCQAR3ZWJtQoeBAkKFgQIYU4BnQI0VSalmQCgq17FAAw9CQE2AQAZ3aGFtbXlXQUAGd2hhbW15RIlACECPQAAAAAAAFlSua0AxrkAu14EBY8WBAZyBACK1nEADdW5khkAFVl9WUDglhohAA1ZQOIOBAeBABrCBCLqBCB9DtnVAIueBAKNAHIEAAIAwAQCdASoIAAgAAUAmJaQAA3AA/vz0AAA=";
const STICKER = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA";

/** Returns the sample file of each kind; created once. */
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
    default:
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

/** Returns three seconds of a tone as WAV, 8 bits. */
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
