export { planReminders } from "./plan.ts";
export { restRulesWithoutStage } from "./repository.ts";
export { registerReminders } from "./routes.ts";
export { startReminderChecks } from "./verify.ts";
