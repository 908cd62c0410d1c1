import { MEDIA_MAX_BYTES, textLimit } from "../../../domain/limits.ts";
import { numberText } from "../../language/format.ts";

/** From here on the limit is near. */
const NEAR = 0.9;

/** How a text stands to what Telegram takes. `note` counts when the limit is near, `problem` says by how much it is over. */
export type Length = { note: string | undefined; problem: string | undefined };

/** The length of a message as Telegram takes it: a text beside a file has less room. */
export function lengthOf({ length }: string, hasFile: boolean): Length {
  const most = textLimit(hasFile);
  const beside = hasFile ? " beside a picture or video" : "";
  return {
    note: length > most * NEAR ? `${numberText(length)} of ${numberText(most)} characters${beside}` : undefined,
    problem:
      length > most
        ? `Too long: Telegram takes ${numberText(most)} characters at most${beside}. Take ${numberText(length - most)} away.`
        : undefined,
  };
}

/** What is no picture or video that Telegram shows, though it is called one. */
const UNSHOWN =
  /^(image\/(svg|bmp|x-ms-bmp|avif|tiff|hei[cf]|x-icon|vnd\.)|video\/(x-matroska|x-msvideo|x-ms-wmv|mpeg|ogg|3gpp))/;
const CHOOSE = "Choose a picture (PNG, JPEG, GIF, WebP) or a video (MP4, MOV, WebM).";

/** What browsers know no type of is told by its name. */
const SHOWN_NAME = /\.(png|jpe?g|gif|webp|mp4|m4v|mov|webm)$/i;

/** Why a file cannot be attached, by its type, name and size; its bytes are judged by the server. Undefined where nothing is wrong. */
export function fileProblem(file: Pick<File, "name" | "type" | "size"> | null): string | undefined {
  if (file === null) return undefined;
  const { name, type, size } = file;
  if (size > MEDIA_MAX_BYTES) return `${name} is larger than 10 MB. Choose a smaller file.`;
  if (size === 0) return `${name} is empty. Choose another file.`;
  const isShown = type === "" ? SHOWN_NAME.test(name) : /^(image|video)\//.test(type) && !UNSHOWN.test(type);
  return isShown ? undefined : `${name} cannot be attached. ${CHOOSE}`;
}

/** The same of a picture that the browser cannot show. */
export const brokenPicture = (name: string): string => `${name} holds no picture that can be shown. ${CHOOSE}`;
