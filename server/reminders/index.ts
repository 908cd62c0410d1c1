export { planReminders } from "./plan.ts";
export { registerReminders } from "./routes.ts";
export { startReminderChecks } from "./verify.ts";
