import { Long, type tl } from "@mtcute/core";
import type { Db } from "../../db/index.ts";
import type { StoredMedia } from "../../outbox/port.ts";

type Reference = { as: "photo" | "document"; id: string; accessHash: string; fileReference: string };

/** Remembers which stored files Telegram already has for an account, so that each is uploaded once. */
export function createFiles(db: Db, accountId: string) {
  const mine = { account_id: accountId };
  return {
    async find(mediaId: string): Promise<tl.TypeInputMedia | null> {
      const row = await db
        .selectFrom("telegram_files")
        .select("file_id")
        .where("account_id", "=", accountId)
        .where("media_id", "=", mediaId)
        .executeTakeFirst();
      return row === undefined ? null : asHeld(JSON.parse(row.file_id) as Reference);
    },
    async remember(mediaId: string, media: tl.TypeMessageMedia | undefined): Promise<void> {
      const reference = referenceOf(media);
      if (reference === null) return;
      const value = { file_id: JSON.stringify(reference) };
      await db
        .insertInto("telegram_files")
        .values({ ...mine, media_id: mediaId, ...value })
        .onConflict((conflict) => conflict.columns(["account_id", "media_id"]).doUpdateSet(value))
        .execute();
    },
    async forget(mediaId: string): Promise<void> {
      await db
        .deleteFrom("telegram_files")
        .where("account_id", "=", accountId)
        .where("media_id", "=", mediaId)
        .execute();
    },
  };
}

/** An uploaded file as a photo, a streamable video, or a document (a GIF sent as a photo would be a still image). */
export function asUploaded(media: StoredMedia, file: tl.TypeInputFile): tl.TypeInputMedia {
  if (media.kind === "image" && media.extension !== "gif") return { _: "inputMediaUploadedPhoto", file };
  const attributes: tl.TypeDocumentAttribute[] = [
    { _: "documentAttributeFilename", fileName: `${media.kind}.${media.extension}` },
  ];
  if (media.kind === "video")
    attributes.push({ _: "documentAttributeVideo", supportsStreaming: true, duration: 0, w: 0, h: 0 });
  return { _: "inputMediaUploadedDocument", file, mimeType: media.mime, attributes };
}

function referenceOf(media: tl.TypeMessageMedia | undefined): Reference | null {
  const held =
    media?._ === "messageMediaPhoto" && media.photo?._ === "photo"
      ? { as: "photo" as const, file: media.photo }
      : media?._ === "messageMediaDocument" && media.document?._ === "document"
        ? { as: "document" as const, file: media.document }
        : null;
  if (held === null) return null;
  return {
    as: held.as,
    id: held.file.id.toString(),
    accessHash: held.file.accessHash.toString(),
    fileReference: Buffer.from(held.file.fileReference).toString("base64"),
  };
}

function asHeld({ as, id, accessHash, fileReference }: Reference): tl.TypeInputMedia {
  const file = {
    id: Long.fromString(id),
    accessHash: Long.fromString(accessHash),
    fileReference: new Uint8Array(Buffer.from(fileReference, "base64")),
  };
  return as === "photo"
    ? { _: "inputMediaPhoto", id: { _: "inputPhoto", ...file } }
    : { _: "inputMediaDocument", id: { _: "inputDocument", ...file } };
}
