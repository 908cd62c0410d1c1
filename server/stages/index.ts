export { FINISH_REMOVALS, finishRemovals } from "./removal.ts";
export { requireRoomForKeywords } from "./repository.ts";
export { registerStages } from "./routes.ts";
export { createStageRules, ensureInitialStage, type CompiledRules, type StageRules } from "./rules.ts";
