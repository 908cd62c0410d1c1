import * as v from "valibot";
import { Id } from "../../domain/schema-parts.ts";
import { keywordWarnings } from "../../domain/keyword.ts";
import { SavedStage, StageCreate, StageList, StagePatch } from "../../domain/stage.ts";
import { type Deps, callingKeyName } from "../core/deps.ts";
import { inEnglish } from "../core/languages.ts";
import { keyedRequestOf, withIdempotencyKey } from "../core/request-keys.ts";
import type { Route } from "../core/routes.ts";
import { createVersions } from "../core/versions.ts";
import { undoStageDeletion, deleteStage } from "./removal.ts";
import { createStage, editStages, listStages, patchStage, type StageRow } from "./repository.ts";
import { addFirstStage } from "./rules.ts";

const ById = v.strictObject({ id: Id });

export function registerStages(route: Route, deps: Deps): void {
  const shared = { tag: "Stages", gate: "subscribed" } as const;
  route({
    ...shared,
    method: "GET",
    url: "/api/stages",
    scope: "read",
    id: "listStages",
    summary: "List stages in order",
    answer: StageList,
    handler: async ({ caller, request, reply }) => {
      let stages = await listStages(deps.db, caller.id);
      if (stages.length === 0 && (await addFirstStage(deps.db, caller.id)))
        stages = await listStages(deps.db, caller.id);
      createVersions<StageRow[]>(request, reply).setETag(stages);
      return stages;
    },
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/stages",
    scope: "write",
    id: "addStage",
    summary: "Add a stage",
    refuses: { 409: ["stage_name_taken", "too_many_stages"] },
    takesKey: true,
    takesVersion: true,
    body: StageCreate,
    status: 201,
    answer: SavedStage,
    handler: async ({ caller, body, request, reply }) => {
      const keyedRequest = keyedRequestOf(deps, caller, request, "stage", JSON.stringify(body));
      const versions = createVersions<StageRow[]>(request, reply);
      return withWarnings(
        await editStages(deps, caller.id, async (tx) => {
          const readStages = () => listStages(tx, caller.id);
          const made = await withIdempotencyKey(tx, keyedRequest, async () => {
            await versions.require(readStages);
            return createStage(tx, caller.id, body);
          });
          versions.setETag(await readStages());
          return made;
        }),
      );
    },
  });
  route({
    ...shared,
    method: "PATCH",
    url: "/api/stages/:id",
    scope: "write",
    id: "changeStage",
    summary: "Change a stage, or only its order",
    refuses: { 409: ["stage_name_taken"] },
    takesVersion: true,
    params: ById,
    body: StagePatch,
    answer: SavedStage,
    handler: async ({ caller, params, body, request, reply }) => {
      const versions = createVersions<StageRow[]>(request, reply);
      return withWarnings(
        await editStages(deps, caller.id, async (tx) => {
          const readStages = () => listStages(tx, caller.id);
          await versions.require(readStages);
          const stage = await patchStage(tx, caller.id, params.id, body);
          versions.setETag(await readStages());
          return stage;
        }),
      );
    },
  });
  route({
    ...shared,
    method: "DELETE",
    url: "/api/stages/:id",
    scope: "write",
    id: "deleteStage",
    summary: "Delete a stage",
    description:
      "Its leads move to the first remaining stage and are held there until they are resumed or moved. It can be restored for a minute.",
    refuses: { 409: ["last_stage_in_use"] },
    params: ById,
    handler: ({ caller, params }) => deleteStage(deps, caller.id, params.id, callingKeyName(caller)),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/stages/:id/restore",
    scope: "write",
    id: "restoreStage",
    summary: "Restore a stage deleted within the last minute, with its leads and follow-ups",
    description: "Leads that were moved or resumed since stay where they are.",
    refuses: { 409: ["stage_name_taken", "too_many_stages"] },
    params: ById,
    answer: SavedStage,
    handler: ({ caller, params }) => undoStageDeletion(deps, caller.id, params.id),
  });
}

/** Adds warnings about keywords that can never match; they are saved as written. */
function withWarnings(stage: StageRow): StageRow & { warnings?: string[] } {
  const warnings = keywordWarnings(stage.keywords).map(inEnglish);
  return warnings.length === 0 ? stage : { ...stage, warnings };
}
