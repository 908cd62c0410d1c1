import { runCommand } from "../command.ts";

await runCommand("bench", {
  acts: {
    does: "runs bulk actions, an export and an import of 100,000 leads",
    takes: "[--quick]",
    start: () => import("./acts.ts"),
  },
  archive: {
    does: "exports and imports an account as a zip",
    takes: "[--embedded]",
    start: () => import("./archive.ts"),
  },
  load: { does: "serves 200 users, 100 requests a second and 50 bulk jobs at once", start: () => import("./load.ts") },
  scale: {
    does: "measures an installation with 2,000 accounts",
    takes: "[--accounts N --leads N --only TOPICS]",
    start: () => import("./scale/run.ts"),
  },
  server: {
    does: "measures the server, compared with a plain one",
    takes: "[--only TOPICS]",
    start: () => import("./server.ts"),
  },
  web: {
    does: "measures the page's size and response times",
    takes: "[--runs N --only PARTS]",
    start: () => import("./web.ts"),
  },
});
