import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";
import { MESSAGE_MAX_CHARS, NAME_MAX_CHARS } from "./limits.ts";
import { MessageMedia } from "./message.ts";

/** A saved reply, optionally with a picture or video. Its placeholders are filled when it is used. */
export const Snippet = v.object({
  id: v.string(),
  title: v.string(),
  text: v.string(),
  media: v.optional(v.nullable(MessageMedia), null),
});
export type Snippet = v.InferOutput<typeof Snippet>;
export const SnippetList = v.array(Snippet);

const title = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, fieldProblem("snippet_title_missing")),
  v.maxLength(NAME_MAX_CHARS),
);
const text = v.pipe(v.string(), v.maxLength(MESSAGE_MAX_CHARS));

/** The fields of `POST /snippets`; the media part is judged by its bytes. */
export const SnippetCreate = v.strictObject({ title, text: v.optional(text, "") });
export type SnippetCreate = v.InferOutput<typeof SnippetCreate>;

/** `PATCH /snippets/{id}`: changes the given parts; `media` null removes the file. */
export const SnippetPatch = v.strictObject({
  title: v.optional(title),
  text: v.optional(text),
  media: v.optional(v.null(fieldProblem("media_null"))),
});
export type SnippetPatch = v.InferOutput<typeof SnippetPatch>;
