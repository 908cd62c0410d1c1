import * as v from "valibot";
import { Id } from "../../domain/schema-parts.ts";
import type { Deps } from "../core/deps.ts";
import { notFound } from "../core/problem.ts";
import type { Route } from "../core/routes.ts";
import { readRangeHeader, readRange } from "./store.ts";
import { createMediaLinks } from "./signed-url.ts";

const Query = v.strictObject({
  expires: v.pipe(v.string(), v.regex(/^\d{1,16}$/), v.description("When the link ends, as it says itself.")),
  signature: v.pipe(v.string(), v.maxLength(100), v.description("What makes the link ours.")),
});
const CACHE_SECONDS = 900;

/** `GET /api/media/{id}`: returns a file for a signed link, in full or as a range. */
export function registerMedia(route: Route, deps: Deps): void {
  const links = createMediaLinks(deps.config, deps.clock);
  route({
    method: "GET",
    url: "/api/media/:id",
    scope: "public",
    id: "readMedia",
    summary: "Read an attached picture or video by its short-lived link",
    description: "Whole or in ranges (header Range).",
    media: "application/octet-stream",
    also: { 206: "The requested range" },
    tag: "Follow-ups",
    gate: "public",
    params: v.strictObject({ id: Id }),
    query: Query,
    handler: async ({ params, query, request, reply }) => {
      if (!links.isValid(params.id, query.expires, query.signature)) throw notFound();
      const media = await deps.db
        .selectFrom("media")
        .select(["mime", "size"])
        .where("id", "=", params.id)
        .executeTakeFirst();
      if (media === undefined) throw notFound();
      void reply.headers({
        "accept-ranges": "bytes",
        "cache-control": `private, max-age=${CACHE_SECONDS}`,
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
      });
      const range = readRangeHeader(request.headers.range, media.size);
      if (range === "outside") return reply.code(416).header("content-range", `bytes */${media.size}`).send();
      const { start, end } = range === "whole" ? { start: 0, end: media.size - 1 } : range;
      const bytes = await readRange(deps.db, params.id, start, end - start + 1);
      if (bytes === null) throw notFound();
      if (range !== "whole") {
        void reply.code(206).header("content-range", `bytes ${start}-${end}/${media.size}`);
      }
      return reply.type(media.mime).send(Buffer.from(bytes));
    },
  });
}
