import { createReporter } from "../kit/reporting.ts";
import { type SnippetsDeps, createSnippetsActors } from "./snippets.actors.ts";
import { snippetsMachine } from "./snippets.machine.ts";

/** Texts kept for answering, over a gateway. */
export const createSnippets = (deps: SnippetsDeps) =>
  snippetsMachine.provide({
    actors: createSnippetsActors(deps),
    actions: { reportFailure: createReporter(deps.logger) },
  });

export type { SnippetsDeps, SnippetsGateway } from "./snippets.actors.ts";
export { SnippetsProvider, useCanSnippets, useSnippets, useSnippetsEvents } from "./snippets.context.tsx";
export { snippetsMachine } from "./snippets.machine.ts";
export * from "./snippets.selectors.ts";
