import { parse } from "valibot";
import { type Stage, StageList, sortStages } from "../../domain/stage.ts";
import type { Http } from "./http.ts";

/** Reads `/stages` of the product API: all stages in their order. */
export const createStagesList =
  (http: Http) =>
  async (signal?: AbortSignal): Promise<Stage[]> =>
    sortStages(parse(StageList, await http("/stages", signal ? { signal } : {})));
