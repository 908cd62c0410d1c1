// npm run cluster -- --web 2 --worker 2: runs several processes of the product on one Postgres (DATABASE_URL). Each listens on its own
// port, from PORT upwards, web processes first. A reverse proxy in front distributes the requests.
import { spawn } from "node:child_process";
import { readArguments } from "./arguments.mjs";
import { ensureWebBuild } from "./build.mjs";
import { ensureDependencies, giveUp, requireNode, root, runtimeNode, print, toolEnv } from "./setup.mjs";

const START_MS = 60_000;
const AGAIN_MS = 1_000;

const { values } = readArguments("npm run cluster -- --web 2 --worker 2", {
  options: { web: { type: "string", default: "2" }, worker: { type: "string", default: "2" } },
});
const webs = Number(values.web);
const workers = Number(values.worker);
if (!Number.isInteger(webs) || !Number.isInteger(workers) || webs < 1 || workers < 0 || webs + workers > 64)
  giveUp("Give the number of processes, at least one for web: npm run cluster -- --web 2 --worker 2");
if (!process.env.DATABASE_URL)
  giveUp("Several processes need DATABASE_URL: the embedded database serves one process only.");

requireNode();
ensureDependencies();
await ensureWebBuild();
const node = runtimeNode();
const firstPort = Number(process.env.PORT ?? 3000);
const publicUrl = process.env.PUBLIC_URL ?? `http://127.0.0.1:${firstPort}`;
const children = new Set();
let isUp = false;
let isStopping = false;
let worstCode = 0;

/** Starts one process and restarts it until the cluster stops. */
function keep(name, role, port, extra) {
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", "server/main.ts"], {
    cwd: root,
    stdio: "inherit",
    env: toolEnv({ ROLE: role, PORT: String(port), PUBLIC_URL: publicUrl, ...extra }),
  });
  children.add(child);
  child.on("exit", (code, signal) => {
    children.delete(child);
    if (isStopping) {
      worstCode = Math.max(worstCode, code ?? 1);
      if (children.size === 0) process.exit(worstCode);
      return;
    }
    if (!isUp) return abandon(`${name} did not start; see its output above.`);
    print(`${name} ended (${code ?? signal}); restarting it`);
    setTimeout(() => isStopping || keep(name, role, port, extra), AGAIN_MS);
  });
}

/** Aborts a failed start without leaving processes behind. */
function abandon(text) {
  isStopping = true;
  worstCode = 1;
  console.error(`leadloom · ${text}`);
  for (const child of children) child.kill("SIGTERM");
  if (children.size === 0) process.exit(worstCode);
}

async function answers(port) {
  for (const end = Date.now() + START_MS; Date.now() < end;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (isStopping) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  abandon(`The process on port ${port} did not become ready; see its output above.`);
}

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    isStopping = true;
    for (const child of children) child.kill(signal);
    if (children.size === 0) process.exit(worstCode);
  });
}

// The first process migrates the database and starts the simulated services before the others start.
keep("web 1", "web", firstPort, {});
await answers(firstPort);
if (isStopping) await new Promise(() => {});
const rest = [
  ...Array.from({ length: webs - 1 }, (_, index) => [`web ${index + 2}`, "web", { LEADLOOM_SANDBOX_EXTERNAL: "1" }]),
  ...Array.from({ length: workers }, (_, index) => [`worker ${index + 1}`, "worker", {}]),
];
for (const [index, [name, role, extra]] of rest.entries()) keep(name, role, firstPort + index + 1, extra);
for (let port = firstPort + 1; port < firstPort + webs + workers; port += 1) await answers(port);
if (isStopping) await new Promise(() => {});
isUp = true;
const ports = (from, count) => Array.from({ length: count }, (_, index) => from + index).join(", ");
print(`web processes listen on ports ${ports(firstPort, webs)}: put a reverse proxy in front of them`);
if (workers > 0) print(`workers answer /readyz and /metrics on ports ${ports(firstPort + webs, workers)}`);
print("the cluster is ready");
