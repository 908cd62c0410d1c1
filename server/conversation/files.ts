import { Readable } from "node:stream";
import { sql } from "kysely";
import * as v from "valibot";
import type { Deps } from "../core/deps.ts";
import { notFound, refuse } from "../core/problem.ts";
import type { Route } from "../core/routes.ts";
import type { Db } from "../db/index.ts";
import { createMediaLinks } from "../media/signed-url.ts";
import { readRange, readRangeHeader } from "../media/store.ts";
import { PART_BYTES, readPart } from "./file-parts.ts";

const Query = v.strictObject({
  expires: v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.description("When the link ends, as it says itself.")),
  signature: v.pipe(v.string(), v.maxLength(100), v.description("What makes the link ours.")),
});
const CACHE_SECONDS = 900;
const ANSWER_WITHIN_MS = 20_000;
const ASK_AGAIN_MS = 4_000;
/** Types that a browser may show; all others are downloaded. */
const SHOWN = /^(?:image\/(?:png|jpeg|webp|gif)|video\/[\w.+-]+|audio\/[\w.+-]+)$/;

type Stored = { id: string; owner_id: string; account_user_id: string; media_id: string | null; size: number };

const away = () => refuse(503, "file_away", null, { retryAfterSeconds: 5 });

/** `GET /api/files/{id}`: a message's file by its signed link, whole or in ranges; fetched from Telegram on demand. */
export function registerFiles(route: Route, deps: Deps): void {
  const links = createMediaLinks(deps.config, deps.clock);
  const fetchPart = createPartFetcher(deps);
  route({
    method: "GET",
    url: "/api/files/:id",
    scope: "public",
    id: "readFile",
    summary: "Read a message's file by its short-lived link",
    description: "Whole or in ranges (header Range).",
    media: "application/octet-stream",
    also: { 206: "The requested range" },
    refuses: { 409: ["not_connected"], 429: ["files_wait"], 503: ["file_away"] },
    tag: "Conversation",
    gate: "public",
    params: v.strictObject({ id: v.pipe(v.string(), v.regex(/^\d{1,18}$/)) }),
    query: Query,
    handler: async ({ params, query, request, reply }) => {
      if (!links.isValidForMessage(params.id, query.expires, query.signature)) throw notFound();
      const row = await deps.db
        .selectFrom("messages as m")
        .leftJoin("media as original", "original.id", "m.media_id")
        .select([
          "m.id",
          "m.owner_id",
          "m.account_user_id",
          "m.kind",
          "m.is_outgoing",
          "m.media_id",
          "m.media",
          "m.deleted_at",
        ])
        .select(["original.size", "original.mime"])
        .where("m.id", "=", params.id)
        .executeTakeFirst();
      const media = row?.media ?? null;
      const storedSize = row?.size ?? media?.size ?? null;
      if (row === undefined || media === null || storedSize === null || row.deleted_at !== null) throw notFound();
      const file = { ...row, size: storedSize };
      // Only sizes of sent photos were stored wrong.
      const isSentPhoto = row.is_outgoing && row.kind === "photo" && row.media_id === null;
      const size = isSentPhoto ? await photoSize(file, fetchPart) : storedSize;
      if (size !== storedSize) await correctSize(deps.db, row.id, size);
      const range = readRangeHeader(request.headers.range, size);
      const mime = row.mime ?? media.mime;
      const type = mime !== null && SHOWN.test(mime) ? mime : "application/octet-stream";
      const name = encodeURIComponent(media.name ?? `file-${row.id}`);
      if (range === "outside") return reply.code(416).header("content-range", `bytes */${size}`).send();
      const { start, end } = range === "whole" ? { start: 0, end: size - 1 } : range;
      const parts = partsOf(deps, file, { start, end }, fetchPart);
      // Reads the first part before sending headers, so that a failed read still gets an error response.
      const opening = await parts.next();
      void reply.headers({
        "accept-ranges": "bytes",
        "cache-control": `private, max-age=${CACHE_SECONDS}`,
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "content-disposition": `${SHOWN.test(type) ? "inline" : "attachment"}; filename*=UTF-8''${name}`,
      });
      if (range !== "whole") void reply.code(206).header("content-range", `bytes ${start}-${end}/${size}`);
      void reply.header("content-length", String(end - start + 1)).type(type);
      return reply.send(Readable.from(opening.done ? [] : withFirst(opening.value, parts), { objectMode: false }));
    },
  });
}

async function* withFirst(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** Returns the real size of a photo that only Telegram has. Earlier versions stored the upload's size, but Telegram re-encodes photos. */
async function photoSize(file: Stored, fetchPart: ReturnType<typeof createPartFetcher>): Promise<number> {
  for (let part = 0; ; part += 1) {
    const { length } = await fetchPart(file, part);
    const end = part * PART_BYTES + length;
    if (length < PART_BYTES || end === file.size) return end;
  }
}

const correctSize = (db: Db, messageId: string, size: number) =>
  sql`update messages set media = jsonb_set(media, '{size}', to_jsonb(${size}::int))
    where id = ${messageId}::bigint and media_id is null and media is not null`.execute(db);

async function* partsOf(
  deps: Deps,
  file: Stored,
  { start, end }: { start: number; end: number },
  fetchPart: ReturnType<typeof createPartFetcher>,
): AsyncGenerator<Uint8Array> {
  for (let part = Math.floor(start / PART_BYTES); part * PART_BYTES <= end; part += 1) {
    const from = Math.max(0, start - part * PART_BYTES);
    const to = Math.min(PART_BYTES, end + 1 - part * PART_BYTES);
    if (file.media_id === null) {
      const bytes = await fetchPart(file, part);
      yield bytes.subarray(from, to);
    } else {
      const bytes = await readRange(deps.db, file.media_id, part * PART_BYTES + from, to - from);
      if (bytes === null) throw notFound();
      yield bytes;
    }
  }
}

/** Requires that the Telegram account with the file is connected. @throws ProblemError 409 */
async function requireAccount(db: Db, { owner_id: ownerId, account_user_id: accountUserId }: Stored): Promise<void> {
  const account = await db
    .selectFrom("telegram_sessions")
    .select("id")
    .where("user_id", "=", ownerId)
    .where("telegram_user_id", "=", accountUserId)
    .where("state", "=", "connected")
    .executeTakeFirst();
  if (account !== undefined) return;
  throw refuse(409, "not_connected", { reason: "file" });
}

/** Returns a part from the cache, or asks the worker that holds the account for it and waits. */
function createPartFetcher(deps: Deps) {
  const waiting = new Map<string, Set<(answer: { outcome: string; seconds: number }) => void>>();
  deps.bus.on("file.answered", ({ message_id: id, part, outcome, seconds }) =>
    waiting.get(`${id}:${part}`)?.forEach((resolve) => resolve({ outcome, seconds })),
  );
  const ask = (file: Stored, part: number) =>
    deps.bus.publish("file.wanted", { owner_id: file.owner_id, message_id: file.id, part });
  const requestPart = async (file: Stored, part: number): Promise<{ outcome: string; seconds: number }> => {
    const key = `${file.id}:${part}`;
    const { promise, resolve } = Promise.withResolvers<{ outcome: string; seconds: number }>();
    const listeners = waiting.get(key) ?? new Set();
    waiting.set(key, listeners.add(resolve));
    const timers = [
      deps.clock.every(ASK_AGAIN_MS, () => void ask(file, part).catch(() => {})),
      deps.clock.after(ANSWER_WITHIN_MS, () => resolve({ outcome: "away", seconds: 0 })),
    ];
    try {
      await ask(file, part);
      return await promise;
    } finally {
      for (const cancel of timers) cancel();
      listeners.delete(resolve);
      if (listeners.size === 0) waiting.delete(key);
    }
  };
  return async (file: Stored, part: number): Promise<Uint8Array> => {
    const stored = await readPart(deps.db, file.id, part, deps.clock.iso());
    if (stored !== null) return stored;
    await requireAccount(deps.db, file);
    const { outcome, seconds } = await requestPart(file, part);
    if (outcome === "wait") throw refuse(429, "files_wait", null, { retryAfterSeconds: seconds });
    if (outcome === "gone") throw notFound();
    const fetched = outcome === "ready" ? await readPart(deps.db, file.id, part, deps.clock.iso()) : null;
    if (fetched === null) throw away();
    return fetched;
  };
}
