import type { tl } from "@mtcute/core";
import { strippedPhotoToJpg } from "@mtcute/core/utils.js";
import { cutText } from "../../../domain/cut-text.ts";
import type { MessageKind } from "../../../domain/message.ts";
import type { MessageFile } from "../../../domain/telegram-message.ts";
import type { TelegramMessage } from "../../../domain/telegram-message.ts";

type Facts = Pick<TelegramMessage, "kind" | "media" | "preview">;

const NAME_MAX_CHARS = 255;
const PREVIEW_MAX_BYTES = 20_000;
const bare = (kind: MessageKind): Facts => ({ kind, media: null, preview: null });

/** Returns a message's media. A link preview does not count. */
export function readMedia(media: tl.TypeMessageMedia | undefined): Facts {
  switch (media?._) {
    case undefined:
    case "messageMediaEmpty":
    case "messageMediaWebPage":
      return bare("text");
    case "messageMediaPhoto":
      return media.photo?._ === "photo" ? photoFacts(media.photo) : bare("photo");
    case "messageMediaDocument":
      return media.document?._ === "document" ? documentFacts(media.document) : bare("document");
    default:
      return bare("other");
  }
}

export function largestSize(photo: tl.RawPhoto): { type: string; w: number; h: number; size: number } | null {
  const sizes = photo.sizes.flatMap((size) => {
    if (size._ === "photoSize") return [{ type: size.type, w: size.w, h: size.h, size: size.size }];
    if (size._ === "photoSizeProgressive")
      return [{ type: size.type, w: size.w, h: size.h, size: Math.max(...size.sizes) }];
    return [];
  });
  return sizes.toSorted((a, b) => b.w * b.h - a.w * a.h)[0] ?? null;
}

function photoFacts(photo: tl.RawPhoto): Facts {
  const size = largestSize(photo);
  return {
    kind: "photo",
    media: {
      mime: "image/jpeg",
      name: null,
      size: size?.size ?? null,
      width: size?.w ?? null,
      height: size?.h ?? null,
      seconds: null,
    },
    preview: previewOf(photo.sizes),
  };
}

function documentFacts(document: tl.RawDocument): Facts {
  const facts: MessageFile = {
    mime: document.mimeType,
    name: null,
    size: document.size,
    width: null,
    height: null,
    seconds: null,
  };
  let kind: MessageKind = "document";
  for (const attribute of document.attributes) {
    switch (attribute._) {
      case "documentAttributeFilename":
        facts.name = cutText(attribute.fileName.replaceAll("\u0000", ""), NAME_MAX_CHARS) || null;
        break;
      case "documentAttributeImageSize":
        facts.width = attribute.w;
        facts.height = attribute.h;
        break;
      case "documentAttributeVideo":
        facts.width = attribute.w;
        facts.height = attribute.h;
        facts.seconds = Math.round(attribute.duration);
        if (kind === "document") kind = "video";
        break;
      case "documentAttributeAudio":
        facts.seconds = attribute.duration;
        kind = attribute.voice === true ? "voice" : "audio";
        break;
      case "documentAttributeSticker":
        kind = "sticker";
        break;
      default:
    }
  }
  return { kind, media: facts, preview: previewOf(document.thumbs ?? []) };
}

/** A stripped photo omits the JPEG header, which is always the same. */
const wholePicture = ({ _, bytes }: tl.RawPhotoStrippedSize | tl.RawPhotoCachedSize): Uint8Array =>
  _ === "photoStrippedSize" && bytes.length > 3 && bytes[0] === 1 ? strippedPhotoToJpg(bytes) : bytes;

/** Returns the smallest picture embedded in the message itself; fetches nothing. */
function previewOf(sizes: readonly tl.TypePhotoSize[]): Uint8Array | null {
  const inline = sizes.flatMap((size) =>
    size._ === "photoStrippedSize" || size._ === "photoCachedSize" ? [wholePicture(size)] : [],
  );
  const smallest = inline.toSorted((a, b) => a.length - b.length)[0] ?? null;
  return smallest !== null && smallest.length <= PREVIEW_MAX_BYTES ? smallest : null;
}
