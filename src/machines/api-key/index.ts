import { createReporter } from "../kit/reporting.ts";
import { type ApiKeyDeps, createApiKeyActors } from "./api-key.actors.ts";
import { apiKeyMachine } from "./api-key.machine.ts";

/** The keys of programs over a gateway. */
export const createApiKey = (deps: ApiKeyDeps) =>
  apiKeyMachine.provide({
    actors: createApiKeyActors(deps),
    actions: {
      announceRevoked: (_, { name }) => deps.notifier.toast(`The key '${name}' was revoked.`),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { ApiKeyDeps, ApiKeyGateway } from "./api-key.actors.ts";
export { ApiKeyProvider, useApiKey, useApiKeyEvents, useCanApiKey } from "./api-key.context.tsx";
export { BLANK_KEY, apiKeyMachine } from "./api-key.machine.ts";
export * from "./api-key.selectors.ts";
export { SCOPE_WORDS, SEND_WARNING, mcpAddress, mcpConfig } from "./api-key.texts.ts";
