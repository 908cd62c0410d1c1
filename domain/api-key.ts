import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";

/**
 * What a key may do. Scopes are independent: `send` sends (replies, manual follow-ups, bulk messages and their cancel) and resumes what was held or
 * stopped; `write` covers all other changes, including those that automation acts on.
 */
export const SCOPES = ["read", "write", "send"] as const;
export const Scope = v.picklist(SCOPES);
export type Scope = v.InferOutput<typeof Scope>;

/** How every key begins. */
export const KEY_PREFIX = "llk_";
/** Maximum number of keys per account. */
export const KEYS_MAX = 20;
const KEY_NAME_MAX_CHARS = 100;

/** An API key. `hint` is the end of its secret; `last_used_at` is accurate to the minute. */
export const ApiKey = v.object({
  id: v.string(),
  name: v.string(),
  scopes: v.array(Scope),
  hint: v.string(),
  created_at: v.string(),
  last_used_at: v.nullable(v.string()),
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

export const ApiKeyList = v.array(ApiKey);
export type ApiKeyList = v.InferOutput<typeof ApiKeyList>;

/** The response to a new key: the only one with its secret. */
export const NewApiKey = v.object({ ...ApiKey.entries, secret: v.string() });
export type NewApiKey = v.InferOutput<typeof NewApiKey>;

export const ApiKeyCreate = v.strictObject({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, fieldProblem("key_name_missing")),
    v.maxLength(KEY_NAME_MAX_CHARS, fieldProblem("key_name_too_long", { limit: KEY_NAME_MAX_CHARS })),
  ),
  scopes: v.pipe(
    v.array(v.picklist(SCOPES, fieldProblem("scope"))),
    v.minLength(1, fieldProblem("scope_missing")),
    v.maxLength(100),
    v.transform((given) => SCOPES.filter((scope) => given.includes(scope))),
  ),
});
export type ApiKeyCreate = v.InferOutput<typeof ApiKeyCreate>;
