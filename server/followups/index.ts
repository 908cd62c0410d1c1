export { readAutomationFacts } from "./automation-facts.ts";
export { eraseDeletedFollowups } from "./deletion.ts";
export { planFollowups } from "./plan.ts";
export { markPlansStale, refreshPlansOf } from "./stale-plans.ts";
export { registerFollowups } from "./routes.ts";
