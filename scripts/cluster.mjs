// npm run cluster -- --web 2 --worker 2: runs several processes of the product on one Postgres (DATABASE_URL). Each listens on its own
// port, from PORT upwards, web processes first. A reverse proxy in front distributes the requests.
import { spawn } from "node:child_process";
import { readArguments } from "./arguments.mjs";
import { ensureWebBuild } from "./build.mjs";
import { ensureDependencies, giveUp, requireNode, root, runtimeNode, print, toolEnv } from "./setup.mjs";

/** A start that takes longer is reported, because migrating a large database can take minutes. */
const LONG_START_MS = 60_000;
const AGAIN_MS = 1_000;

const { values } = readArguments("npm run cluster -- --web 2 --worker 2", {
  options: { web: { type: "string", default: "2" }, worker: { type: "string", default: "2" } },
});
const webs = Number(values.web);
const workers = Number(values.worker);
if (!Number.isInteger(webs) || !Number.isInteger(workers) || webs < 1 || workers < 0 || webs + workers > 64)
  giveUp("Give the number of processes, at least one for web: npm run cluster -- --web 2 --worker 2");
/** Whether a variable is set, directly or by NAME_FILE. */
const isSet = (name) => Boolean(process.env[name] || process.env[`${name}_FILE`]);
if (!isSet("DATABASE_URL"))
  giveUp("Several processes need DATABASE_URL: the embedded database serves one process only.");
const firstPort = Number(process.env.PORT || 3000);
if (!Number.isInteger(firstPort) || firstPort < 1 || firstPort + webs + workers > 65_536)
  giveUp("PORT must be the first of the processes' ports, for example 3000.");

requireNode();
ensureDependencies();
await ensureWebBuild();
const node = runtimeNode();
const { HOST: host = "" } = process.env;
const probed = ["", "0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
const publicUrl = isSet("PUBLIC_URL") ? {} : { PUBLIC_URL: `http://${probed}:${firstPort}` };
const children = new Set();
/** The ports whose processes have been ready. */
const started = new Set();
let isStopping = false;
let worstCode = 0;

/** Starts one process and restarts it until the cluster stops. */
function keep(name, role, port, extra) {
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", "server/main.ts"], {
    cwd: root,
    stdio: "inherit",
    env: toolEnv({ ROLE: role, PORT: String(port), ...publicUrl, ...extra }),
  });
  children.add(child);
  child.on("exit", (code, signal) => {
    children.delete(child);
    if (isStopping) {
      worstCode = Math.max(worstCode, code ?? 1);
      if (children.size === 0) process.exit(worstCode);
      return;
    }
    if (!started.has(port)) return abandon(`${name} did not start; see its output above.`);
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

/** Waits until a process is ready, or the cluster stops. */
async function answers(port) {
  const address = `http://${probed}:${port}/readyz`;
  const notice = setTimeout(() => print(`still waiting for ${address}`), LONG_START_MS);
  while (!started.has(port)) {
    const isReady = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) started.add(port);
    else await new Promise((resolve) => setTimeout(resolve, 200));
    if (isStopping) break;
  }
  clearTimeout(notice);
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
await Promise.all(rest.map((_, index) => answers(firstPort + index + 1)));
if (isStopping) await new Promise(() => {});
const ports = (from, count) => Array.from({ length: count }, (_, index) => from + index).join(", ");
print(`web processes listen on ports ${ports(firstPort, webs)}: put a reverse proxy in front of them`);
if (workers > 0) print(`workers answer /readyz and /metrics on ports ${ports(firstPort + webs, workers)}`);
print("the cluster is ready");
