/** The only imports from the server in the sandbox; all sandbox code imports them from here. */
export type { Bus } from "../server/core/bus.ts";
export { type Cancel, type Clock, type SandboxClock } from "../server/core/clock.ts";
export { type Config, reachableHost } from "../server/core/config.ts";
export { acceptedLanguages, type Languages } from "../server/core/languages.ts";
export type { Running } from "../server/core/deps.ts";
export { notFound, ProblemError } from "../server/core/problem.ts";
export { parse } from "../server/core/routes.ts";
export type { Work } from "../server/core/work.ts";
