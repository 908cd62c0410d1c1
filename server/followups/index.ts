export { planFollowups } from "./plan.ts";
export { registerFollowups } from "./routes.ts";
