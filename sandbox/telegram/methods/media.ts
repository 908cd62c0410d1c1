import type { tl } from "@mtcute/core";
import { rpcError } from "../errors.ts";
import { addFile, assemble, fileByReference } from "../world/files.ts";
import { self, type CallContext } from "./context.ts";

const LARGEST_PHOTO = 10 << 20;
const SIDES_SUM = 10_000;
const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

type Size = { width: number; height: number };

/** Returns a picture's size from its first bytes, or null if it is not PNG, JPEG, GIF or WebP. */
function pictureSize(bytes: Buffer): Size | null {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE) && bytes.length >= 24) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.subarray(0, 4).toString("latin1") === "GIF8" && bytes.length >= 10) {
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  if (bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8) return jpegSize(bytes);
  const webp =
    bytes.subarray(0, 4).toString("latin1") === "RIFF" && bytes.subarray(8, 12).toString("latin1") === "WEBP";
  return webp ? { width: 800, height: 600 } : null;
}

function jpegSize(bytes: Buffer): Size {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return { width: 800, height: 600 };
}

const SHOWN_CHUNK = /^(?:IHDR|PLTE|tRNS|IDAT|IEND)$/;

/** Strips a PNG's metadata. Telegram re-encodes photos, which also changes their size. */
function stripPngMetadata(photo: Buffer): Buffer {
  if (!photo.subarray(0, 8).equals(PNG_SIGNATURE)) return photo;
  const kept: Uint8Array[] = [PNG_SIGNATURE];
  for (let at = 8, type = ""; type !== "IEND" && at + 12 <= photo.length;) {
    const end = at + 12 + photo.readUInt32BE(at);
    type = photo.toString("latin1", at + 4, at + 8);
    if (SHOWN_CHUNK.test(type)) kept.push(photo.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

/** Stores the media of a send or an upload; returns its file id. */
export function storeMedia(context: CallContext, media: tl.TypeInputMedia): number {
  const { world } = context;
  const account = self(context);
  switch (media._) {
    case "inputMediaUploadedPhoto": {
      const bytes = assemble(world, account.user_id, media.file);
      if (bytes.length > LARGEST_PHOTO) throw rpcError("PHOTO_SAVE_FILE_INVALID");
      const size = pictureSize(bytes);
      if (size === null) throw rpcError("IMAGE_PROCESS_FAILED");
      const { width, height } = size;
      const ratio = Math.max(width, height) / Math.max(1, Math.min(width, height));
      if (width === 0 || height === 0 || width + height > SIDES_SUM || ratio > 20) {
        throw rpcError("PHOTO_INVALID_DIMENSIONS");
      }
      return addFile(world, {
        kind: "photo",
        mime_type: "image/jpeg",
        name: null,
        width,
        height,
        dc_id: account.dc_id,
        attributes: [],
        bytes: stripPngMetadata(bytes),
      }).file_id;
    }
    case "inputMediaUploadedDocument": {
      const bytes = assemble(world, account.user_id, media.file);
      const named = media.attributes.find((attribute) => attribute._ === "documentAttributeFilename");
      return addFile(world, {
        kind: "document",
        mime_type: media.mimeType,
        name: named?._ === "documentAttributeFilename" ? named.fileName : null,
        width: null,
        height: null,
        dc_id: account.dc_id,
        attributes: media.attributes,
        bytes,
      }).file_id;
    }
    case "inputMediaPhoto":
    case "inputMediaDocument": {
      if (media.id._ !== "inputPhoto" && media.id._ !== "inputDocument") throw rpcError("MEDIA_EMPTY");
      const file = fileByReference(world, account.user_id, media.id.id, media.id.accessHash);
      if (file === undefined) throw rpcError("MEDIA_INVALID");
      if (media.id.fileReference.length === 0) throw rpcError("FILE_REFERENCE_EMPTY");
      return file.file_id;
    }
    case "inputMediaEmpty":
      throw rpcError("MEDIA_EMPTY");
    default:
      throw rpcError("MEDIA_INVALID");
  }
}
