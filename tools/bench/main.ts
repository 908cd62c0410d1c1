import { runCommand } from "../command.ts";

await runCommand("bench", {
  acts: { does: "moves, exports and imports 100,000 leads", takes: "[--quick]", start: () => import("./acts.ts") },
  archive: {
    does: "exports and imports an account as a zip",
    takes: "[--embedded]",
    start: () => import("./archive.ts"),
  },
  load: { does: "200 users, 100 requests a second and 50 bulk jobs at once", start: () => import("./load.ts") },
  scale: {
    does: "what 2,000 accounts cost",
    takes: "[--accounts N --leads N --only TOPICS]",
    start: () => import("./scale/run.ts"),
  },
  server: {
    does: "the server's budgets, against a plain server",
    takes: "[--only TOPICS]",
    start: () => import("./server.ts"),
  },
  web: {
    does: "the page's weight and response times",
    takes: "[--runs N --only PARTS]",
    start: () => import("./web.ts"),
  },
});
