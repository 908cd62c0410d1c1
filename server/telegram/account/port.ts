import { Long, type tl } from "@mtcute/core";
import { uploadFile } from "@mtcute/core/methods.js";
import type { TelegramClient } from "@mtcute/node";
import { ADDRESS_LATE, classifySendError, UPLOAD_FAILED } from "../../../domain/send-outcome.ts";
import { withTimeout } from "../../core/clock.ts";
import type { Deps } from "../../core/deps.ts";
import type { Recipient, SendPort, StoredMedia } from "../../outbox/port.ts";
import { TelegramCallError, callErrorOf } from "../call-error.ts";
import { checkChannel } from "./channel.ts";
import { createChannels } from "./channels.ts";
import { createDownloads } from "./downloads.ts";
import { asUploaded, createFiles } from "./files.ts";
import { requirementsOf } from "./requirements.ts";
import { noteSeen, type Sent, readSent } from "./sent.ts";

const CALL_TIMEOUT_MS = 30_000;
/** A whole file may take so long; whoever waits for the send waits longer. */
const UPLOAD_MS = 150_000;
/** Of a part: short waits, by which Telegram keeps an upload to its speed, are slept through; a longer one is the whole account's. */
const PART = { timeout: 60_000, maxRetryCount: 10, floodSleepThreshold: 10_000 };
/** The address book waits for a database that is away. A message that was let go before such a wait is not sent after it: it is judged anew. */
const ADDRESS_MS = 5_000;
const addressLate = () => new TelegramCallError(503, ADDRESS_LATE);
const STALE_FILE = /^FILE_REFERENCE_|^FILE_ID_INVALID$|^MEDIA_INVALID$|^MEDIA_EMPTY$/;

/**
 * The account's sending half over a live client. Each call goes out once: no waiting, no repeating. The library's own send methods are not
 * used: after the answer they look peers up again, and a failure there would hide that the message went out.
 */
export function createPort(
  client: TelegramClient,
  { db, clock }: Pick<Deps, "db" | "clock">,
  accountId: string,
): SendPort {
  const once = client.withParams({ floodSleepThreshold: 0, maxRetryCount: 0, timeout: CALL_TIMEOUT_MS });
  const uploading = limited(client);
  const files = createFiles(db, accountId);

  const channels = createChannels(once, db, accountId);

  const addressed = async <T>(to: Recipient, call: (peer: tl.TypeInputPeer) => Promise<T>): Promise<T> => {
    if ("channel" in to) return channels.using(to.channel, call);
    const person = personOf(to.telegramUserId);
    const askedAt = clock.monotonic();
    const asked = async () => once.resolvePeer(person);
    const peer = await withTimeout(clock, ADDRESS_MS, asked(), () => {
      throw addressLate();
    });
    // A process that was frozen finds both at once.
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
      // Whatever became of its parts, the message was not sent.
      throw classifySendError(refusal).kind === "unknown"
        ? new TelegramCallError(503, UPLOAD_FAILED, { cause: error })
        : refusal;
    } finally {
      // The library has several parts on their way, each followed by the next one, also after one was refused.
      over.abort();
    }
  };
  return {
    sendText: ({ to, text, randomId }) =>
      refusing(() =>
        addressed(to, async (peer) => {
          const request = { peer, message: text, randomId: asLong(randomId) };
          return asSent(readSent(client, await once.call({ _: "messages.sendMessage", ...request }), request.randomId));
        }),
      ),
    sendMedia: ({ to, caption, media, randomId }) =>
      refusing(() =>
        addressed(to, async (peer) => {
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
    readFile: createDownloads(client),
    markRead: (to, messageId) =>
      refusing(() =>
        addressed(to, async (peer) => {
          const { pts, ptsCount } = await once.call({ _: "messages.readHistory", peer, maxId: messageId });
          noteSeen(client, pts, ptsCount);
        }),
      ),
    requirementsOf: (ids) => refusing(() => requirementsOf(once, ids)),
    checkChannel: (channel) => checkChannel(once, channels, channel),
  };
}

/** The library would ask for a part's taking for ever, and sleep through whatever wait it is told: our limits come last. */
function limited(client: TelegramClient): TelegramClient {
  const call: TelegramClient["call"] = (request, params) => client.call(request, { ...params, ...PART });
  return new Proxy(client, {
    get: (target, name, receiver) => (name === "call" ? call : Reflect.get(target, name, receiver)),
  });
}

async function refusing<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw callErrorOf(error) ?? error;
  }
}

function personOf(telegramUserId: string): number {
  const id = Number(telegramUserId);
  if (!Number.isSafeInteger(id) || id <= 0) throw new TelegramCallError(400, "PEER_ID_INVALID");
  return id;
}

const asLong = (id: bigint) => Long.fromString(BigInt.asIntN(64, id).toString());
const asSent = ({ messageId, date }: Sent) => ({ messageId, date });
