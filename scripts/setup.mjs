// Prepares a fresh clone on a machine with Node 20 or newer, before any other command. Plain JavaScript, because it runs before
// dependencies are installed.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const OLDEST_NODE = 20;
const RUNTIME_NODE = 24;
const marker = path.join(root, "node_modules", ".leadloom-lock");

export const print = (text) => console.log(`leadloom · ${text}`);

export function giveUp(text) {
  console.error(`leadloom · ${text}`);
  process.exit(1);
}

const majorOf = (version) => Number(version.replace(/^v/, "").split(".")[0]);

/** Exits if Node is too old to install the dependencies. */
export function requireNode() {
  if (majorOf(process.version) < OLDEST_NODE)
    giveUp(`Node ${process.version} is too old. Install Node ${OLDEST_NODE} or newer and run this again.`);
}

/** Installs the locked dependencies if they are missing or differ from the lock file, completely even with an old Node. */
export function ensureDependencies() {
  installDependencies();
  installNativeTools();
}

function installDependencies() {
  const wanted = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  const installed = existsSync(marker) ? readFileSync(marker, "utf8") : "";
  if (installed === wanted) return;
  // If npm has just installed the same lock file, npm ci would only delete the dependencies in use and install them again.
  if (!isInstalled()) {
    print("installing dependencies (npm ci), about half a minute");
    const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: root,
      stdio: "inherit",
      shell: process.platform === "win32",
    });
    if (status !== 0) giveUp("npm ci failed; see its output above.");
  }
  writeFileSync(marker, wanted);
}

/**
 * @lingui/native-tools needs a newer Node than OLDEST_NODE, and npm skips it silently on an older one. The Node from the dependencies is
 * new enough, so npm runs again with it.
 */
function installNativeTools() {
  const lingui = path.join(root, "node_modules", "@lingui");
  const isHere = () => readdirSync(lingui).some((name) => name.startsWith("native-tools-"));
  // An installation without development tools builds nothing.
  if (!existsSync(path.join(lingui, "native-tools")) || isHere()) return;
  print("installing what npm skipped with this Node version (npm install), a few seconds");
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", args, {
    cwd: root,
    stdio: "inherit",
    env: toolEnv(),
    shell: process.platform === "win32",
  });
  if (status !== 0 || !isHere())
    giveUp("npm could not install @lingui/native-tools for this machine. Install Node 22.19 or newer and run npm ci.");
}

/** True if npm's own record says that node_modules matches the lock file. */
function isInstalled() {
  const hidden = path.join(root, "node_modules", ".package-lock.json");
  if (!existsSync(hidden)) return false;
  const versions = (file) => JSON.parse(readFileSync(file, "utf8")).packages ?? {};
  const wanted = versions(path.join(root, "package-lock.json"));
  const present = versions(hidden);
  return Object.entries(wanted).every(
    ([name, { version, optional }]) => name === "" || optional || present[name]?.version === version,
  );
}

/** Returns the Node that runs the product: the one from npm, or the current one if it is new enough. */
export function runtimeNode() {
  const bundled = path.join(root, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");
  if (existsSync(bundled)) {
    const probe = spawnSync(bundled, ["--version"], { encoding: "utf8" });
    if (probe.status === 0 && majorOf(probe.stdout.trim()) >= RUNTIME_NODE) return bundled;
  }
  if (majorOf(process.version) >= RUNTIME_NODE) return process.execPath;
  return giveUp(
    `npm has no Node ${RUNTIME_NODE} for this kind of machine (${process.platform} ${process.arch}). Install Node ${RUNTIME_NODE} or newer and run this again.`,
  );
}

/** Returns an environment in which commands find the bundled Node and the project's tools first. */
export const toolEnv = (extra = {}) => ({
  ...process.env,
  ...extra,
  PATH: `${path.join(root, "node_modules", ".bin")}${path.delimiter}${process.env.PATH ?? ""}`,
});

/** Runs a command; resolves to its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: "inherit",
      env: toolEnv(options.env),
      shell: process.platform === "win32",
    });
    child.on("error", () => resolve(127));
    child.on("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
}

/** Runs a long-running command, forwards signals to it, and exits with its exit code. */
export function runForever(command, args, env = {}) {
  const child = spawn(command, args, { cwd: root, stdio: "inherit", env: toolEnv(env) });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal === "SIGHUP" ? "SIGTERM" : signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
  return child;
}

/** Returns a hash of files and folders, which changes when any of them does. */
export function fingerprint(...names) {
  const hash = createHash("sha256");
  const add = (name) => {
    const full = path.join(root, name);
    if (!existsSync(full)) return;
    const entries = readDirectory(full);
    if (entries === null) hash.update(name).update(readFileSync(full));
    else for (const entry of entries) add(path.join(name, entry));
  };
  for (const name of names) add(name);
  return hash.digest("hex");
}

function readDirectory(full) {
  try {
    return readdirSync(full).toSorted();
  } catch (error) {
    if (error.code === "ENOTDIR") return null;
    throw error;
  }
}
