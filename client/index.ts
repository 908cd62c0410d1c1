import createClient, { type Client, type FetchOptions, type FetchResponse } from "openapi-fetch";
import type { FilterKeys, HttpMethod, MediaType, PathsWithMethod, RequiredKeysOf } from "openapi-typescript-helpers";
import type { components, paths } from "./schema.d.ts";

export type { components, paths } from "./schema.d.ts";

/** What the calls send and answer, by the names of the reference. */
export type Schemas = components["schemas"];

/** One method of the calls. Unlike the library's own type it takes no field that the call does not know. */
type Calls<M extends HttpMethod> = <P extends PathsWithMethod<paths, M>>(
  path: P,
  ...options: RequiredKeysOf<FetchOptions<FilterKeys<paths[P], M>>> extends never
    ? [FetchOptions<FilterKeys<paths[P], M>>?]
    : [FetchOptions<FilterKeys<paths[P], M>>]
) => Promise<
  paths[P] extends Record<M, infer Operation extends Record<string, unknown>>
    ? FetchResponse<Operation, unknown, MediaType>
    : never
>;
export type Leadloom = Pick<Client<paths>, "use" | "eject"> & {
  GET: Calls<"get">;
  POST: Calls<"post">;
  PUT: Calls<"put">;
  PATCH: Calls<"patch">;
  DELETE: Calls<"delete">;
};

/** A body that holds a file goes as a form, every other one as JSON. */
function serialize(body: unknown): FormData | string {
  const entries = typeof body === "object" && body !== null ? Object.entries(body) : [];
  if (!entries.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of entries) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.set(name, value, value instanceof File ? value.name : name);
    else form.set(name, String(value as string | number | boolean));
  }
  return form;
}

/**
 * A client of one installation: `client.GET("/api/inbox", {params: {query: {view: "waiting"}}})` resolves to `data`, or to the
 * Problem as `error`; it rejects only when no answer came. Where a call answers no JSON, name what to read:
 * `client.GET("/api/leads/export", {parseAs: "text"})`.
 * @param url of the installation, such as http://127.0.0.1:3000
 * @param key a key of Settings, or the access token of a session
 */
export function createLeadloom({
  url,
  key,
  fetch,
}: {
  url: string;
  key: string;
  fetch?: typeof globalThis.fetch;
}): Leadloom {
  const client: unknown = createClient<paths>({
    baseUrl: url.replace(/\/$/, ""),
    headers: { authorization: `Bearer ${key}` },
    bodySerializer: serialize,
    ...(fetch === undefined ? {} : { fetch }),
  });
  return client as Leadloom;
}
