import { parse } from "valibot";
import { Snippet, SnippetList } from "../../domain/snippet.ts";
import type { Http } from "./http.ts";

/** A snippet as typed; `media` null removes its file, undefined keeps it. */
export type SnippetDraft = { title: string; text: string; media: File | null | undefined };

const pathOf = (id: string) => `/snippets/${encodeURIComponent(id)}`;

/** With a file it is sent as a form, else as JSON. */
function bodyOf({ title, text, media }: SnippetDraft): FormData | Record<string, unknown> {
  if (!(media instanceof File)) return { title, text, ...(media === null ? { media: null } : {}) };
  const body = new FormData();
  body.set("title", title);
  body.set("text", text);
  body.set("media", media, media.name);
  return body;
}

/** `/snippets`: saved replies. */
export const createSnippetsGateway = (http: Http) => ({
  list: async (signal: AbortSignal): Promise<Snippet[]> => parse(SnippetList, await http("/snippets", { signal })),
  add: async (draft: SnippetDraft): Promise<Snippet> => {
    const body = bodyOf({ ...draft, media: draft.media ?? undefined });
    return parse(Snippet, await http("/snippets", { method: "POST", body, once: true }));
  },
  change: async ({ id, ...draft }: SnippetDraft & { id: string }): Promise<Snippet> =>
    parse(Snippet, await http(pathOf(id), { method: "PATCH", body: bodyOf(draft) })),
  remove: async ({ id }: { id: string }): Promise<void> => {
    await http(pathOf(id), { method: "DELETE" });
  },
});
