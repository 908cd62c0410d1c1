// npm run dev: restarts the server on changes and hot-reloads the browser code. Open the page on Vite's port.
import { spawn } from "node:child_process";
import { ensureDependencies, requireNode, root, run, runForever, runtimeNode, print, toolEnv } from "./setup.mjs";

requireNode();
ensureDependencies();
const port = process.env.PORT ?? "3000";
const node = runtimeNode();
await run(node, ["scripts/statecharts.ts"]);
const server = spawn(
  node,
  [
    "--disable-warning=ExperimentalWarning",
    "--watch-path=server",
    "--watch-path=domain",
    "--watch-preserve-output",
    "server/main.ts",
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: toolEnv({ PORT: port, PUBLIC_URL: process.env.PUBLIC_URL ?? "http://localhost:5173" }),
  },
);
process.on("exit", () => server.kill("SIGTERM"));
print("open http://localhost:5173 (add ?inspect to watch the statecharts live)");
runForever(node, ["node_modules/vite/bin/vite.js", "--port", "5173", "--strictPort"], { PORT: port });
