import { parse } from "valibot";
import { type ApiKey, type ApiKeyCreate, ApiKeyList, NewApiKey } from "../../domain/api-key.ts";
import { nullOn } from "../../domain/problem.ts";
import type { Http } from "./http.ts";

export const createKeysGateway = (http: Http) => ({
  list: async (signal: AbortSignal): Promise<ApiKey[]> => parse(ApiKeyList, await http("/keys", { signal })),
  /** The only response that holds the key's secret. */
  create: async ({ name, scopes }: { name: string; scopes: readonly ApiKeyCreate["scopes"][number][] }) =>
    parse(NewApiKey, await http("/keys", { method: "POST", body: { name, scopes }, once: true })),
  /** A key that no longer exists counts as revoked. */
  revoke: async ({ id }: { id: string }): Promise<void> => {
    await http(`/keys/${encodeURIComponent(id)}`, { method: "DELETE" }).catch(nullOn(404));
  },
});
