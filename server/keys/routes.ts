import * as v from "valibot";
import { ApiKeyCreate, ApiKeyList, KEYS_MAX, NewApiKey } from "../../domain/api-key.ts";
import { Id } from "../../domain/schema-parts.ts";
import type { Deps } from "../core/deps.ts";
import { keyedRequestOf } from "../core/request-keys.ts";
import type { Route } from "../core/routes.ts";
import type { KeyAuthenticator } from "./authenticate.ts";
import { createKey, listKeys, revokeKey } from "./repository.ts";

const ById = v.strictObject({ id: Id });

/** `/api/keys`: API keys of the account. */
export function registerKeys(route: Route, deps: Deps, { forget }: Pick<KeyAuthenticator, "forget">): void {
  const shared = { tag: "Keys", scope: "person" } as const;
  route({
    ...shared,
    method: "GET",
    url: "/api/keys",
    gate: "subscribed",
    id: "listKeys",
    summary: "List API keys, oldest first",
    answer: ApiKeyList,
    handler: ({ caller }) => listKeys(deps.db, caller.id),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/keys",
    gate: "subscribed",
    id: "addKey",
    summary: `Create an API key; at most ${KEYS_MAX}`,
    description:
      "Only this response has its secret. A repeated Idempotency-Key creates no second key: it returns the same key with a new secret, and revokes the first secret.",
    refuses: { 409: ["too_many_keys"] },
    takesKey: true,
    status: 201,
    body: ApiKeyCreate,
    answer: NewApiKey,
    handler: async ({ caller, body, request }) => {
      const key = await createKey(deps, body, keyedRequestOf(deps, caller, request, "api key", JSON.stringify(body)));
      forget(key.id);
      return key;
    },
  });
  route({
    ...shared,
    method: "DELETE",
    url: "/api/keys/:id",
    // Users without a subscription can still revoke keys.
    gate: "signedIn",
    id: "revokeKey",
    summary: "Revoke a key: its calls are refused from now on",
    params: ById,
    handler: async ({ caller, params }) => {
      await revokeKey(deps, caller.id, params.id);
      forget(params.id);
    },
  });
}
