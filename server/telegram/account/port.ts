import { Long, type tl } from "@mtcute/core";
import { uploadFile } from "@mtcute/core/methods.js";
import type { TelegramClient } from "@mtcute/node";
import { ADDRESS_LATE, classifySendError, UPLOAD_FAILED } from "../../../domain/send-outcome.ts";
import { withTimeout } from "../../core/clock.ts";
import type { Deps } from "../../core/deps.ts";
import type { Recipient, SendPort, StoredMedia } from "../../outbox/port.ts";
import { TelegramCallError, callErrorOf, withCallErrors } from "../call-error.ts";
import { checkChannel } from "./channel.ts";
import { createChannels } from "./channels.ts";
import { createDownloads } from "./downloads.ts";
import { asUploaded, createFiles } from "./files.ts";
import { readMedia } from "./media.ts";
import { requirementsOf } from "./requirements.ts";
import { markUpdateSeen, type Sent, readSent } from "./sent.ts";

const CALL_TIMEOUT_MS = 30_000;
/** Time limit for uploading a file; the sender's own limit is longer. */
const UPLOAD_MS = 150_000;
/** Options for one part: short upload rate limits are waited out; longer waits apply to the whole account. */
const PART = { timeout: 60_000, maxRetryCount: 10, floodSleepThreshold: 10_000 };
/** A lookup in the address book waits for an unavailable database. A message that waited longer is not sent, but checked again. */
const ADDRESS_MS = 5_000;
const addressLate = () => new TelegramCallError(503, ADDRESS_LATE);
const STALE_FILE = /^FILE_REFERENCE_|^FILE_ID_INVALID$|^MEDIA_INVALID$|^MEDIA_EMPTY$/;

/**
 * Creates the sending side of an account. Each call is tried once, without waits or retries. The library's own send methods are not used:
 * they look up peers after the response, and a failure there would hide that the message was sent.
 */
export function createPort(
  client: TelegramClient,
  { db, clock }: Pick<Deps, "db" | "clock">,
  accountId: string,
): SendPort & Pick<ReturnType<typeof createDownloads>, "forgetFile"> {
  const once = client.withParams({ floodSleepThreshold: 0, maxRetryCount: 0, timeout: CALL_TIMEOUT_MS });
  const uploading = withUploadLimits(client);
  const files = createFiles(db, accountId);

  const channels = createChannels(once, db, accountId);

  const withPeer = async <T>(to: Recipient, call: (peer: tl.TypeInputPeer) => Promise<T>): Promise<T> => {
    if ("channel" in to) return channels.withPeer(to.channel, call);
    const person = personOf(to.telegramUserId);
    const askedAt = clock.monotonic();
    const resolvePeer = async () => once.resolvePeer(person);
    const peer = await withTimeout(clock, ADDRESS_MS, resolvePeer(), () => {
      throw addressLate();
    });
    // After a freeze of the process both have ended.
    if (clock.monotonic() - askedAt > ADDRESS_MS) throw addressLate();
    return call(peer);
  };
  const upload = async (media: StoredMedia): Promise<tl.TypeInputMedia> => {
    const named = { fileName: `${media.kind}.${media.extension}`, fileMime: media.mime };
    const over = new AbortController();
    const abortSignal = AbortSignal.any([clock.timeout(UPLOAD_MS), over.signal]);
    try {
      const { inputFile } = await uploadFile(uploading, { file: await media.load(), ...named, abortSignal });
      return asUploaded(media, inputFile);
    } catch (error) {
      const refusal = callErrorOf(error) ?? error;
      // Whatever happened to its parts, the message was not sent.
      throw classifySendError(refusal).kind === "unknown"
        ? new TelegramCallError(503, UPLOAD_FAILED, { cause: error })
        : refusal;
    } finally {
      // The library uploads several parts in parallel and would continue after a refused one.
      over.abort();
    }
  };
  return {
    sendText: ({ to, text, randomId }) =>
      withCallErrors(() =>
        withPeer(to, async (peer) => {
          const request = { peer, message: text, randomId: asLong(randomId) };
          return asSent(readSent(client, await once.call({ _: "messages.sendMessage", ...request }), request.randomId));
        }),
      ),
    sendMedia: ({ to, caption, media, randomId }) =>
      withCallErrors(() =>
        withPeer(to, async (peer) => {
          const request = { peer, message: caption, randomId: asLong(randomId) };
          const send = async (file: tl.TypeInputMedia) => {
            const answer = await once.call({ _: "messages.sendMedia", media: file, ...request });
            return readSent(client, answer, request.randomId);
          };
          const held = await files.find(media.id);
          if (held !== null) {
            try {
              return asSent(await send(held));
            } catch (error) {
              if (!STALE_FILE.test(callErrorOf(error)?.text ?? "")) throw error;
              await files.forget(media.id);
            }
          }
          const sent = await send(await upload(media));
          await files.remember(media.id, sent.media);
          return asSent(sent);
        }),
      ),
    ...createDownloads(client),
    markRead: (to, messageId) =>
      withCallErrors(() =>
        withPeer(to, async (peer) => {
          const { pts, ptsCount } = await once.call({ _: "messages.readHistory", peer, maxId: messageId });
          markUpdateSeen(client, pts, ptsCount);
        }),
      ),
    requirementsOf: (ids) => withCallErrors(() => requirementsOf(once, ids)),
    checkChannel: (channel) => checkChannel(once, channels, channel),
  };
}

/** Overrides the library's defaults, which would retry a part forever and wait out any rate limit. */
function withUploadLimits(client: TelegramClient): TelegramClient {
  const call: TelegramClient["call"] = (request, params) => client.call(request, { ...params, ...PART });
  return new Proxy(client, {
    get: (target, name, receiver) => (name === "call" ? call : Reflect.get(target, name, receiver)),
  });
}

function personOf(telegramUserId: string): number {
  const id = Number(telegramUserId);
  if (!Number.isSafeInteger(id) || id <= 0) throw new TelegramCallError(400, "PEER_ID_INVALID");
  return id;
}

const asLong = (id: bigint) => Long.fromString(BigInt.asIntN(64, id).toString());
const asSent = ({ messageId, date, media }: Sent) => {
  const copy = readMedia(media);
  return { messageId, date, photo: copy.kind === "photo" ? copy.media : null };
};
