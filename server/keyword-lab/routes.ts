import { KeywordPreview, KeywordPreviewRequest } from "../../domain/keyword-lab.ts";
import { createConcurrencyLimiter } from "../core/concurrency.ts";
import type { Deps } from "../core/deps.ts";
import type { Route } from "../core/routes.ts";
import { previewKeywords } from "./preview.ts";

/** Each preview keeps a thread busy for up to two seconds. */
const AT_ONCE = 2;
const MOST_WAITING = 20;
const WAIT_MS = 15_000;

export function registerKeywordLab(route: Route, deps: Deps): void {
  const previews = createConcurrencyLimiter(deps.clock, {
    busyWith: "previews",
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
    waitMs: WAIT_MS,
  });
  route({
    method: "POST",
    url: "/api/stages/preview",
    scope: "read",
    id: "previewStages",
    summary: "Try edited keywords on recent messages",
    description: "Nothing is changed.",
    tag: "Stages",
    gate: "subscribed",
    body: KeywordPreviewRequest,
    answer: KeywordPreview,
    handler: async ({ caller, body, reply }) => {
      const gone = new AbortController();
      const leave = () => gone.abort();
      reply.raw.on("close", leave);
      try {
        return await previews.run(caller.id, () => previewKeywords(deps, caller.id, body, gone.signal));
      } catch (error) {
        // The client has disconnected.
        if (gone.signal.aborted) return reply;
        throw error;
      } finally {
        reply.raw.off("close", leave);
      }
    },
  });
}
