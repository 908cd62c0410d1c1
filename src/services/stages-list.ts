import { parse } from "valibot";
import { type Stage, StageList, sortStages } from "../../domain/stage.ts";
import type { Http } from "./http.ts";
import type { Versions } from "./versions.ts";

/** Reads `/stages` of the product API: all stages in their order. */
export const createStagesList =
  (http: Http, versions?: Versions) =>
  async (signal?: AbortSignal): Promise<Stage[]> => {
    const answer = await http.raw("/stages", signal ? { signal } : {});
    return sortStages(parse(StageList, versions?.keep(answer) ?? answer.data));
  };
