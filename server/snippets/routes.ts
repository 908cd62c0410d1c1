import * as v from "valibot";
import { Id } from "../../domain/schema-parts.ts";
import { textLimit } from "../../domain/limits.ts";
import { Snippet, SnippetCreate, SnippetList, SnippetPatch } from "../../domain/snippet.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuseInput } from "../core/problem.ts";
import { fingerprintOf, withIdempotencyKey, readRequestKey } from "../core/request-keys.ts";
import { enforceQuota } from "../owned-data/quota.ts";
import { parse, type Route } from "../core/routes.ts";
import type { DbOrTx } from "../db/index.ts";
import { checkMedia, storeMedia } from "../media/store.ts";
import { createMediaLinks } from "../media/signed-url.ts";
import { readForm } from "../media/multipart.ts";

const ById = v.strictObject({ id: Id });

type Row = { id: string; title: string; text: string; media_id: string | null; size: number | null };

const select = (db: DbOrTx, ownerId: string) =>
  db
    .selectFrom("snippets as s")
    .leftJoin("media as m", "m.id", "s.media_id")
    .select(["s.id", "s.title", "s.text", "s.media_id", "m.size"])
    .where("s.owner_id", "=", ownerId);

async function read(db: DbOrTx, ownerId: string, id: string, isLocked = false): Promise<Row> {
  const row = await select(db, ownerId)
    .where("s.id", "=", id)
    .$if(isLocked, (query) => query.forUpdate("s"))
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/** @throws ProblemError 422 when there is nothing to send, or the text is too long for a caption */
function checkContent(text: string, hasMedia: boolean): void {
  if (text.trim() === "" && !hasMedia) throw refuseInput("text", "snippet_empty", null, "Empty.");
  const most = textLimit(hasMedia);
  if (text.length > most) throw refuseInput("text", "caption_too_long", { limit: most }, "Too long.");
}

/** `/api/snippets`: saved texts for replies. */
export function registerSnippets(route: Route, deps: Deps): void {
  const links = createMediaLinks(deps.config, deps.clock);
  const shared = { tag: "Snippets", gate: "subscribed" } as const;
  const answer = ({ media_id: mediaId, size, ...row }: Row): Snippet => {
    const nothing = { preview: null, width: null, height: null, seconds: null, name: null };
    return { ...row, media: mediaId === null ? null : { ...nothing, url: links.to(mediaId), size } };
  };

  route({
    ...shared,
    method: "GET",
    url: "/api/snippets",
    scope: "read",
    id: "listSnippets",
    summary: "List snippets by title",
    answer: SnippetList,
    handler: async ({ caller }) =>
      (await select(deps.db, caller.id).orderBy("s.title").orderBy("s.id").execute()).map(answer),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/snippets",
    scope: "write",
    id: "addSnippet",
    summary: "Add a snippet",
    description: "As JSON, or as a form with a picture or video.",
    form: { fields: SnippetCreate, file: { name: "media", description: "A picture or video, 10 MB at most." } },
    refuses: { 409: ["too_many_snippets", "media_full"] },
    takesKey: true,
    consumes: "multipart",
    answer: Snippet,
    handler: async ({ caller, request }) => {
      const { fields, file } = await readForm(request);
      const { title, text } = parse(SnippetCreate, fields);
      checkContent(text, file !== null);
      const checked = await checkMedia(file);
      const at = deps.clock.iso();
      const fingerprint = fingerprintOf("snippet", title, text, file ?? "");
      const keyedRequest = { ownerId: caller.id, key: readRequestKey(request), fingerprint, at };
      const { id } = await deps.db.transaction().execute((tx) =>
        withIdempotencyKey(tx, keyedRequest, async () => {
          await enforceQuota(tx, "snippets", caller.id);
          const mediaId = await storeMedia(tx, deps, caller.id, checked);
          return tx
            .insertInto("snippets")
            .values({ owner_id: caller.id, title, text, media_id: mediaId, created_at: at })
            .returning("id")
            .executeTakeFirstOrThrow();
        }),
      );
      return answer(await read(deps.db, caller.id, id));
    },
  });
  route({
    ...shared,
    method: "PATCH",
    url: "/api/snippets/:id",
    scope: "write",
    id: "changeSnippet",
    summary: "Change a snippet",
    description: "As JSON, or as a form with a picture or video.",
    form: {
      fields: SnippetPatch,
      file: { name: "media", description: "A picture or video in place of the one before." },
    },
    params: ById,
    consumes: "multipart",
    answer: Snippet,
    handler: async ({ caller, params, request }) => {
      const { fields, file } = await readForm(request);
      const patch = parse(SnippetPatch, fields);
      const checked = await checkMedia(file);
      await deps.db.transaction().execute(async (tx) => {
        // Locked, so that concurrent changes of different fields are all kept.
        const before = await read(tx, caller.id, params.id, true);
        const previous = patch.media === null ? null : before.media_id;
        const text = patch.text ?? before.text;
        checkContent(text, file !== null || previous !== null);
        const mediaId = (await storeMedia(tx, deps, caller.id, checked)) ?? previous;
        await tx
          .updateTable("snippets")
          .set({ title: patch.title ?? before.title, text, media_id: mediaId })
          .where("id", "=", params.id)
          .where("owner_id", "=", caller.id)
          .execute();
      });
      return answer(await read(deps.db, caller.id, params.id));
    },
  });
  route({
    ...shared,
    method: "DELETE",
    url: "/api/snippets/:id",
    scope: "write",
    id: "deleteSnippet",
    summary: "Delete a snippet",
    params: ById,
    handler: async ({ caller, params }) => {
      const { numDeletedRows } = await deps.db
        .deleteFrom("snippets")
        .where("id", "=", params.id)
        .where("owner_id", "=", caller.id)
        .executeTakeFirst();
      if (numDeletedRows === 0n) throw notFound();
    },
  });
}
