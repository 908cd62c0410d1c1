export { dueAt } from "./due.ts";
export { keepTold, planReminders } from "./plan.ts";
export { eraseDeletedReminders, restRulesWithoutStage } from "./repository.ts";
export { registerReminders } from "./routes.ts";
export { startReminderChecks } from "./verify.ts";
