import type { createStagesGateway } from "../../services/stages.ts";
import type { StageToSave } from "./stages.rows.ts";

type StagesService = ReturnType<typeof createStagesGateway>;

/** A row being saved; `key` identifies it until it has an id. */
export type QueuedStage = { key: string; stage: StageToSave };
/** The saved rows with their ids, and why saving stopped. */
export type SaveOutcome = { saved: { key: string; id: string | null }[]; failure: unknown };

/** Whether the stage is missing from the list; false if the list cannot be read. */
export const isGone = (stages: StagesService, id: string): Promise<boolean> =>
  stages.list().then(
    (listed) => !listed.some((stage) => stage.id === id),
    () => false,
  );

export async function saveAll(stages: StagesService, queued: readonly QueuedStage[]): Promise<SaveOutcome> {
  const saved: SaveOutcome["saved"] = [];
  try {
    for (const { key, stage } of queued) saved.push({ key, id: await saveStage(stages, stage) });
  } catch (failure) {
    return { saved, failure };
  }
  return { saved, failure: null };
}

async function saveStage(stages: StagesService, { id, ...stage }: StageToSave): Promise<string | null> {
  if (id === null) return (await stages.create(stage)).id;
  await stages.update({ id, ...stage });
  return id;
}
