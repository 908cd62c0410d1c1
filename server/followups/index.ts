export { eraseDeletedFollowups } from "./deletion.ts";
export { planFollowups } from "./plan.ts";
export { registerFollowups } from "./routes.ts";
