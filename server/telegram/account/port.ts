import { InputMedia, Long } from "@mtcute/core";
import type { TelegramClient } from "@mtcute/node";
import type { Db } from "../../db/index.ts";
import { TelegramCallError } from "../call-error.ts";
import { refusalOf } from "../rpc-error.ts";
import type { AccountPort, Recipient, SentMessage, StoredMedia } from "../types.ts";
import { checkChannel, readChannel } from "./channel.ts";

const CALL_TIMEOUT_MS = 30_000;
const UPLOAD_TIMEOUT_MS = 120_000;
const STALE_FILE = /^FILE_REFERENCE_|^FILE_ID_INVALID$|^MEDIA_INVALID$|^MEDIA_EMPTY$/;

/** The account's sending half over a live client. Each call goes out once: no waiting, no repeating. */
export function createPort(client: TelegramClient, db: Db, accountId: string): AccountPort {
  const once = client.withParams({ floodSleepThreshold: 0, maxRetryCount: 0, timeout: CALL_TIMEOUT_MS });
  const patient = client.withParams({ timeout: UPLOAD_TIMEOUT_MS });
  const files = createFiles(db, accountId);

  return {
    sendText: ({ to, text, randomId }) =>
      refusing(async () => asSent(await once.sendText(peerOf(to), text, { randomId: asLong(randomId) }))),
    sendMedia: ({ to, caption, media, randomId }) =>
      refusing(async () => {
        const send = async (file: Parameters<typeof InputMedia.auto>[0]) => {
          const message = await once.sendMedia(peerOf(to), asInputMedia(media, file), {
            caption,
            randomId: asLong(randomId),
          });
          const held = message.media !== null && "fileId" in message.media ? message.media.fileId : null;
          if (typeof file !== "string" && typeof held === "string") await files.remember(media.id, held);
          return asSent(message);
        };
        const held = await files.find(media.id);
        if (held !== null) {
          try {
            return await send(held);
          } catch (error) {
            if (!STALE_FILE.test(refusalOf(error)?.text ?? "")) throw error;
            await files.forget(media.id);
          }
        }
        const uploaded = await patient.uploadFile({
          file: await media.load(),
          fileName: `${media.kind}.${media.extension}`,
          fileMime: media.mime,
        });
        return send(uploaded);
      }),
    checkChannel: (channel) => checkChannel(once, channel),
  };
}

async function refusing<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

function peerOf(to: Recipient): number | string {
  if ("channel" in to) return readChannel(to.channel);
  const id = Number(to.telegramUserId);
  if (!Number.isSafeInteger(id) || id <= 0) throw new TelegramCallError(400, "PEER_ID_INVALID");
  return id;
}

const asLong = (id: bigint) => Long.fromString(BigInt.asIntN(64, id).toString());
const asSent = (message: { id: number; date: Date }): SentMessage => ({
  messageId: message.id,
  date: message.date.toISOString(),
});

function asInputMedia(media: StoredMedia, file: Parameters<typeof InputMedia.auto>[0]) {
  const named = { fileName: `${media.kind}.${media.extension}`, fileMime: media.mime };
  if (media.kind === "video") return InputMedia.video(file, { ...named, supportsStreaming: true });
  // Telegram turns a GIF sent as a photo into a still.
  return media.extension === "gif" ? InputMedia.document(file, named) : InputMedia.photo(file, named);
}

/** What Telegram already holds of our files, for this account. */
function createFiles(db: Db, accountId: string) {
  return {
    async find(mediaId: string): Promise<string | null> {
      const row = await db
        .selectFrom("telegram_files")
        .select("file_id")
        .where("account_id", "=", accountId)
        .where("media_id", "=", mediaId)
        .executeTakeFirst();
      return row?.file_id ?? null;
    },
    async remember(mediaId: string, fileId: string): Promise<void> {
      await db
        .insertInto("telegram_files")
        .values({ account_id: accountId, media_id: mediaId, file_id: fileId })
        .onConflict((conflict) => conflict.columns(["account_id", "media_id"]).doUpdateSet({ file_id: fileId }))
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
