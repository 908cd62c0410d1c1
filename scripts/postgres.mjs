// A temporary Postgres for tests: uses the installed one, or in CI installs Debian's package. Never runs as root.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { print } from "./setup.mjs";

const NOBODY = 65534;

function findBinaries() {
  const debian = "/usr/lib/postgresql";
  const folders = existsSync(debian)
    ? readdirSync(debian)
        .toSorted()
        .toReversed()
        .map((version) => path.join(debian, version, "bin"))
    : [];
  const onPath = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" });
  if (onPath.status === 0) folders.push(onPath.stdout.trim());
  return (
    folders.find((folder) => existsSync(path.join(folder, "initdb")) && existsSync(path.join(folder, "postgres"))) ??
    null
  );
}

function installFromDebian() {
  if (process.env.CI !== "true" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  print("installing Postgres from Debian's packages");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update", "-qq"], { env, stdio: "ignore" });
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "postgresql"], { env, stdio: "ignore" });
}

const freePort = () =>
  new Promise((resolve) => {
    const probe = net.createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** Returns whether this machine has Postgres; in CI, installs it if missing. */
export function hasPostgres() {
  if (findBinaries() === null) installFromDebian();
  return findBinaries() !== null;
}

/**
 * Starts a Postgres on loopback in a new folder inside `folder`, with additional server settings if given. Resolves to its address and
 * functions to crash, restart and stop it, or to null if Postgres is not available.
 */
export async function startPostgres({ settings: extra = {}, folder: parent = tmpdir() } = {}) {
  if (!hasPostgres()) return null;
  const bin = findBinaries();
  const folder = mkdtempSync(path.join(parent, "leadloom-postgres-"));
  const asRoot = process.getuid?.() === 0;
  if (asRoot) {
    chownSync(folder, NOBODY, NOBODY);
    chmodSync(folder, 0o700);
  }
  const who = asRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const options = { cwd: folder, stdio: "ignore", env: { ...process.env, LC_ALL: "C.UTF-8", HOME: folder }, ...who };
  const data = path.join(folder, "data");
  const port = await freePort();
  execFileSync(
    path.join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"],
    options,
  );
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200 -c fsync=off -c full_page_writes=off ${Object.entries(
    extra,
  )
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ")}`;
  const up = () =>
    execFileSync(
      path.join(bin, "pg_ctl"),
      ["-D", data, "-o", settings, "-l", path.join(folder, "log"), "-w", "start"],
      options,
    );
  const down = () => spawnSync(path.join(bin, "pg_ctl"), ["-D", data, "-m", "immediate", "stop"], options);
  up();
  const stop = () => {
    down();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, bin, up, down, stop };
}
