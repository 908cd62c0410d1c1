import { parse } from "valibot";
import { KeywordPreview } from "../../domain/keyword-lab.ts";
import { failureOf } from "../../domain/problem.ts";
import type { StageDraft } from "../../domain/stage.ts";
import type { Http } from "./http.ts";
import { createStagesList } from "./stages-list.ts";

type StageFields = { name: string; keywords: string[]; order: number; color: string };

/** `/stages` of the product API. */
export const createStagesGateway = (http: Http) => ({
  /** All stages in their order. */
  list: createStagesList(http),

  /** Resolves to the new stage's id, or null when the answer does not tell it. */
  create: async ({ name, keywords, order, color }: StageFields): Promise<{ id: string | null }> => {
    const answer = await http<unknown>("/stages", {
      method: "POST",
      body: { name, keywords, order, color },
    });
    return { id: idOf(answer) };
  },

  update: async ({ id, name, keywords, order, color }: StageFields & { id: string }) => {
    await http(pathOf(id), { method: "PATCH", body: { name, keywords, order, color } });
  },

  setOrder: async ({ id, order }: { id: string; order: number }) => {
    await http(pathOf(id), { method: "PATCH", body: { order } });
  },

  /** What words would have done to the messages of the last 90 days; null where the server does not know the call. */
  preview: async (
    { stages }: { stages: readonly StageDraft[] },
    signal: AbortSignal,
  ): Promise<KeywordPreview | null> => {
    try {
      return parse(KeywordPreview, await http("/stages/preview", { method: "POST", body: { stages }, signal }));
    } catch (error) {
      // A server that does not know the call may know its address as a stage's.
      const { status } = failureOf(error);
      if (status === 404 || status === 405) return null;
      throw error;
    }
  },

  remove: async ({ id }: { id: string }) => {
    await http(pathOf(id), { method: "DELETE" });
  },
});

const pathOf = (id: string) => `/stages/${encodeURIComponent(id)}`;

function idOf(answer: unknown): string | null {
  const id = typeof answer === "object" && answer !== null ? (answer as { id?: unknown }).id : null;
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}
