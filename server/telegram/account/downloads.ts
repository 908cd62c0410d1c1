import type { tl } from "@mtcute/core";
import type { TelegramClient } from "@mtcute/node";
import { TelegramCallError, callErrorOf, withCallErrors } from "../call-error.ts";
import { largestSize } from "./media.ts";

type Place = { location: tl.TypeInputFileLocation; dcId: number };

const TIMEOUT_MS = 30_000;
const PLACES_MAX = 200;
const STALE = /^FILE_REFERENCE_/;

/** Reads files of the account's messages over separate connections, so that a download never delays a send. */
export function createDownloads(client: TelegramClient) {
  const once = client.withParams({ floodSleepThreshold: 0, maxRetryCount: 0, timeout: TIMEOUT_MS });
  const places = new Map<number, Place>();

  const placeOf = async (messageId: number): Promise<Place> => {
    const known = places.get(messageId);
    if (known !== undefined) return known;
    const id: tl.TypeInputMessage[] = [{ _: "inputMessageID", id: messageId }];
    const answer = await once.call({ _: "messages.getMessages", id });
    const message = "messages" in answer ? answer.messages[0] : undefined;
    const place = message?._ === "message" ? placeIn(message.media) : null;
    if (place === null) throw new TelegramCallError(400, "FILE_ID_INVALID");
    const [oldest] = places.keys();
    if (places.size >= PLACES_MAX && oldest !== undefined) places.delete(oldest);
    places.set(messageId, place);
    return place;
  };
  const read = async (messageId: number, offset: number, limit: number): Promise<Uint8Array> => {
    const { location, dcId } = await placeOf(messageId);
    const answer = await once.call({ _: "upload.getFile", location, offset, limit }, { kind: "download", dcId });
    if (answer._ !== "upload.file") throw new TelegramCallError(500, "FILE_ELSEWHERE");
    return answer.bytes;
  };
  /** @throws TelegramCallError when Telegram refuses; any other error is an outage */
  const readFile = (messageId: number, offset: number, limit: number): Promise<Uint8Array> =>
    withCallErrors(() =>
      read(messageId, offset, limit).catch((error: unknown) => {
        if (!STALE.test(callErrorOf(error)?.text ?? "")) throw error;
        places.delete(messageId);
        return read(messageId, offset, limit);
      }),
    );
  /** Makes the next read look up the message's file again, because an edit may have replaced it. */
  const forgetFile = (messageId: number): void => void places.delete(messageId);
  return { readFile, forgetFile };
}

function placeIn(media: tl.TypeMessageMedia | undefined): Place | null {
  if (media?._ === "messageMediaPhoto" && media.photo?._ === "photo") {
    const { id, accessHash, fileReference, dcId } = media.photo;
    const thumbSize = largestSize(media.photo)?.type ?? "";
    return { dcId, location: { _: "inputPhotoFileLocation", id, accessHash, fileReference, thumbSize } };
  }
  if (media?._ === "messageMediaDocument" && media.document?._ === "document") {
    const { id, accessHash, fileReference, dcId } = media.document;
    return { dcId, location: { _: "inputDocumentFileLocation", id, accessHash, fileReference, thumbSize: "" } };
  }
  return null;
}
