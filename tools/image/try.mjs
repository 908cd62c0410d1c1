// npm run image:try: runs the steps of the Dockerfile without a container engine. Clones the last commit into a clean folder and runs the
// build stage's RUN lines there. Then starts the result as another user on a read-only tree with a temporary Postgres and the secrets that
// compose.yaml creates, and requests /readyz. Needs root (to start as another user) on Linux.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { readArguments } from "../../scripts/arguments.mjs";
import { startPostgres } from "../../scripts/postgres.mjs";
import { giveUp, root, print } from "../../scripts/setup.mjs";

/** The size of debian:12-slim, in MB. */
const BASE_MB = 75;
const MOST_MB = 350;
const OTHER_USER = 65_534;
const START_MS = 60_000;
const RETRY_MS = 500;

readArguments("npm run image:try");
if (process.getuid?.() !== 0) giveUp("Run this as root: it starts the product as another user.");
const folder = mkdtempSync(path.join(tmpdir(), "leadloom-image-"));
const source = path.join(folder, "source");
const out = path.join(folder, "out");
const sh = (command, cwd) => execFileSync("sh", ["-c", command], { cwd, stdio: ["ignore", "ignore", "inherit"] });

const dockerfile = readFileSync(path.join(root, "Dockerfile"), "utf8").replaceAll("\\\n", "");
const [, buildStage = "", finalStage = ""] = dockerfile.split(/^FROM .*$/m);
for (const [, command = ""] of buildStage.matchAll(/^RUN (.*)$/gm)) {
  if (!existsSync(source)) execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, source]);
  print(command);
  sh(command.replaceAll("/out", out), source);
}
const app = path.join(out, "app");
const megabytes = Number(execFileSync("du", ["-sm", out], { encoding: "utf8" }).split("\t")[0]);
print(`the image takes about ${BASE_MB + megabytes} MB: Debian ${BASE_MB}, Node and the product ${megabytes}`);

const data = path.join(folder, "data");
const secrets = path.join(folder, "secrets");
mkdirSync(data);
chownSync(data, OTHER_USER, OTHER_USER);
chmodSync(folder, 0o755);
const node = path.join(out, "bin", "node");
execFileSync(node, [path.join(app, "scripts/make-secrets.mjs"), secrets], { stdio: "inherit" });
execFileSync(node, [path.join(app, "scripts/make-secrets.mjs"), secrets], { stdio: "inherit" });
sh(`chmod -R a-w ${app} && chown -R ${OTHER_USER} ${secrets}`);
const postgres = await startPostgres();
if (postgres === null) giveUp("No Postgres on this machine: install Debian's package postgresql.");
const databaseUrl = path.join(secrets, "database-url");
rmSync(databaseUrl);
writeFileSync(databaseUrl, postgres.url, { mode: 0o444 });

const [, environment = ""] = /^ENV (.*)$/m.exec(finalStage) ?? [];
const image = Object.fromEntries(environment.split(" ").map((pair) => pair.split("=")));
const [, start = "[]"] = /^CMD (\[.*\])$/m.exec(finalStage) ?? [];
const [, health = "[]"] = /^HEALTHCHECK .*?CMD (\[.*\])$/m.exec(finalStage) ?? [];
const env = {
  ...image,
  PORT: "3999",
  HOST: "127.0.0.1",
  LEADLOOM_DATA: data,
  LEADLOOM_SANDBOX: "1",
  DATABASE_URL_FILE: databaseUrl,
  ENCRYPTION_KEYS_FILE: path.join(secrets, "encryption-keys"),
  SUPABASE_JWT_SECRET_FILE: path.join(secrets, "jwt-secret"),
};
const options = { cwd: app, uid: OTHER_USER, gid: OTHER_USER, env };
const child = spawn(node, JSON.parse(start).slice(1), { ...options, stdio: "inherit" });
const isHealthy = () => {
  try {
    execFileSync(node, JSON.parse(health).slice(1), { ...options, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
let healthy = isHealthy();
for (const end = Date.now() + START_MS; !healthy && Date.now() < end; healthy = isHealthy()) await setTimeout(RETRY_MS);
const page = healthy ? await fetch("http://127.0.0.1:3999/login").then((answer) => answer.text()) : "";
const exited = new Promise((resolve) => child.once("exit", resolve));
child.kill("SIGTERM");
const code = await exited;
postgres.stop();
rmSync(folder, { recursive: true, force: true });
const problems = [
  healthy || "the health check never succeeded",
  page.includes("<title>Leadloom</title>") || "the page is not served",
  code === 0 || `the server exited with code ${code} on SIGTERM`,
  BASE_MB + megabytes < MOST_MB || `the image is over ${MOST_MB} MB`,
].filter((problem) => problem !== true);
for (const problem of problems) print(`failed: ${problem}`);
print(problems.length === 0 ? "every step of the image works" : "the image does not work");
process.exit(problems.length === 0 ? 0 : 1);
