import { msg, plural } from "@lingui/core/runtime-macro";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { MEDIA_MAX_BYTES, textLimit } from "../../../domain/limits.ts";

const NEAR = 0.9;

/** A text's length relative to Telegram's limit. `note` counts near the limit, `problem` says how far it is exceeded. */
export type Length = { note: UiTextOrString | undefined; problem: UiTextOrString | undefined };

/** Compares a message with Telegram's limit, which is lower for a text with a file. */
export function lengthOf({ length }: string, hasFile: boolean): Length {
  const most = textLimit(hasFile);
  return {
    note: length > most * NEAR ? noteOf(length, most, hasFile) : undefined,
    problem: length > most ? problemOf(length - most, most, hasFile) : undefined,
  };
}

const noteOf = (length: number, most: number, hasFile: boolean): UiText =>
  hasFile
    ? msg`${plural({ length }, { one: "#", other: "#" })} of ${plural({ most }, { one: "# character", other: "# characters" })} beside a picture or video`
    : msg`${plural({ length }, { one: "#", other: "#" })} of ${plural({ most }, { one: "# character", other: "# characters" })}`;

const problemOf = (excess: number, most: number, hasFile: boolean): UiText =>
  hasFile
    ? msg`Too long: Telegram takes ${plural({ most }, { one: "# character", other: "# characters" })} at most beside a picture or video. Take ${plural({ excess }, { one: "#", other: "#" })} away.`
    : msg`Too long: Telegram takes ${plural({ most }, { one: "# character", other: "# characters" })} at most. Take ${plural({ excess }, { one: "#", other: "#" })} away.`;

/** Image and video types that Telegram does not show. */
const UNSHOWN =
  /^(image\/(svg|bmp|x-ms-bmp|avif|tiff|hei[cf]|x-icon|vnd\.)|video\/(x-matroska|x-msvideo|x-ms-wmv|mpeg|ogg|3gpp))/;

const CHOOSE = msg`Choose a picture (PNG, JPEG, GIF, WebP) or a video (MP4, MOV, WebM).`;

/** Recognizes files by name if the browser knows no type. */
const SHOWN_NAME = /\.(png|jpe?g|gif|webp|mp4|m4v|mov|webm)$/i;

/** Why a file cannot be attached, by type, name and size; undefined if it can. The server checks the content. */
export function fileProblem(file: Pick<File, "name" | "type" | "size"> | null): UiText | undefined {
  if (file === null) return undefined;
  const { name, type, size } = file;
  if (size > MEDIA_MAX_BYTES) return msg`${{ name }} is larger than 10 MB. Choose a smaller file.`;
  if (size === 0) return msg`${{ name }} is empty. Choose another file.`;
  const isShown = type === "" ? SHOWN_NAME.test(name) : /^(image|video)\//.test(type) && !UNSHOWN.test(type);
  return isShown ? undefined : msg`${{ name }} cannot be attached. ${{ whatToChoose: CHOOSE }}`;
}

/** The same for a picture that the browser cannot show. */
export const brokenPicture = (name: string): UiText =>
  msg`${{ name }} holds no picture that can be shown. ${{ whatToChoose: CHOOSE }}`;
