import { createMachineContext } from "../kit/context.tsx";
import type { TypedSnippet } from "./snippets.actors.ts";
import { snippetsMachine } from "./snippets.machine.ts";

const Snippets = createMachineContext(snippetsMachine, (chart) => ({
  retry: () => chart.send({ type: "reading.retry" }),
  add: () => chart.send({ type: "snippet.add" }),
  edit: (id: string) => chart.send({ type: "snippet.edit", id }),
  remove: (id: string) => chart.send({ type: "snippet.delete", id }),
  change: (change: Partial<TypedSnippet>) => chart.send({ type: "form.change", change }),
  cancel: () => chart.send({ type: "form.cancel" }),
  save: () => chart.send({ type: "form.submit" }),
}));

export const SnippetsProvider = Snippets.Provider;
export const useSnippets = Snippets.use;
export const useCanSnippets = Snippets.useCan;
/** What a person can do about texts kept for answering. */
export const useSnippetsEvents = Snippets.useVerbs;
