export { eraseDeletedStages, FINISH_REMOVALS } from "./removal.ts";
export { finishRemovals } from "./removal-lanes.ts";
export { enforceKeywordQuota } from "./repository.ts";
export { registerStages } from "./routes.ts";
export { addFirstStage, createStageRules, ensureInitialStage, type CompiledRules, type StageRules } from "./rules.ts";
