import { fileTypeFromBuffer } from "file-type";

/** What a file is, told from its first bytes; its name and declared type are never asked. */
export type MediaType = { kind: "image" | "video"; extension: string; mime: string };

const ACCEPTED: Record<string, MediaType> = {
  png: { kind: "image", extension: "png", mime: "image/png" },
  apng: { kind: "image", extension: "png", mime: "image/png" },
  jpg: { kind: "image", extension: "jpg", mime: "image/jpeg" },
  gif: { kind: "image", extension: "gif", mime: "image/gif" },
  webp: { kind: "image", extension: "webp", mime: "image/webp" },
  mp4: { kind: "video", extension: "mp4", mime: "video/mp4" },
  m4v: { kind: "video", extension: "mp4", mime: "video/mp4" },
  mov: { kind: "video", extension: "mov", mime: "video/quicktime" },
  webm: { kind: "video", extension: "webm", mime: "video/webm" },
};

/** The image or video type of these bytes, or null when they are neither that Telegram and browsers show. */
export async function mediaTypeOf(content: Uint8Array): Promise<MediaType | null> {
  const found = await fileTypeFromBuffer(content).catch(() => undefined);
  return found === undefined ? null : (ACCEPTED[found.ext] ?? null);
}
