import { number, object, parse, safeParse } from "valibot";
import { KeywordPreview } from "../../domain/keyword-lab.ts";
import { nullOn } from "../../domain/problem.ts";
import { type StageDraft, type StageFields, type Stage, StageList, sortStages } from "../../domain/stage.ts";
import { ViewList } from "../../domain/view.ts";
import type { Http } from "./http.ts";
import { createVersions, type Versions } from "./versions.ts";

/** `/stages` of the product API. A save sends the version of the list or of the previous save. */
export const createStagesGateway = (http: Http, versions = createVersions()) => ({
  list: createStagesList(http, versions),

  /** Resolves to the new stage's id, or null if the response has none. */
  create: async (body: StageFields): Promise<{ id: string | null }> => {
    const headers = versions.headers();
    return {
      id: idOf(versions.keep(await http.raw<unknown>("/stages", { method: "POST", body, headers, once: true }))),
    };
  },

  update: async ({ id, ...body }: StageFields & { id: string }) => {
    versions.keep(await http.raw(pathOf(id), { method: "PATCH", body, headers: versions.headers() }));
  },

  setOrder: async ({ id, order }: { id: string; order: number }) => {
    await http(pathOf(id), { method: "PATCH", body: { order } });
  },

  /** What keywords would have done with the messages of the last 90 days; null if the server does not know the call. */
  preview: (body: { stages: readonly StageDraft[] }, signal: AbortSignal): Promise<KeywordPreview | null> =>
    http("/stages/preview", { method: "POST", body, signal }).then(
      (answer) => parse(KeywordPreview, answer),
      // A server that does not know the call may read its name as a stage id.
      nullOn(404, 405),
    ),

  remove: async ({ id }: { id: string }) => {
    await http(pathOf(id), { method: "DELETE" });
  },

  restore: ({ id }: { id: string }) => http(`${pathOf(id)}/restore`, { method: "POST" }),

  /** How many leads a stage has, and which saved views filter on it; null for what could not be read. */
  async readEffects({ id }: { id: string }, signal: AbortSignal) {
    const [page, views] = await Promise.allSettled([
      http("/leads", { query: { stage_id: id, limit: 1, offset: 0 }, signal }),
      http("/views", { signal }),
    ]);
    const total = page.status === "fulfilled" ? safeParse(Total, page.value) : null;
    const listed = views.status === "fulfilled" ? safeParse(ViewList, views.value) : null;
    return {
      leads: total?.success ? total.output.total : null,
      views: listed?.success
        ? listed.output.filter(({ query }) => new URLSearchParams(query).get("stage_id") === id).map(({ name }) => name)
        : null,
    };
  },
});

const Total = object({ total: number() });

const pathOf = (id: string) => `/stages/${encodeURIComponent(id)}`;

function idOf(answer: unknown): string | null {
  const id = typeof answer === "object" && answer !== null ? (answer as { id?: unknown }).id : null;
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}

/** Reads `/stages` of the product API: all stages in order. */
export const createStagesList =
  (http: Http, versions?: Versions) =>
  async (signal?: AbortSignal): Promise<Stage[]> => {
    const answer = await http.raw("/stages", signal ? { signal } : {});
    return sortStages(parse(StageList, versions?.keep(answer) ?? answer.data));
  };
