import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../tests/support/ports.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const START_MS = 120_000;
const HOST_CLOCK = new URL("host-clock.ts", import.meta.url).href;

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A process of the product that can be killed and restarted. */
export class Member {
  readonly name: string;
  readonly url: string;
  #env: NodeJS.ProcessEnv;
  readonly #log: string;
  /** the offsets of its host's clocks, in a file for the process to read; null when it has the real clocks */
  readonly #clocks: { file: string; ahead: { wall: number; steady: number } } | null;
  #child: ChildProcess | null = null;

  constructor(name: string, env: NodeJS.ProcessEnv, port: number, logFolder: string, { ownClocks = false } = {}) {
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.#log = path.join(logFolder, `${name}.log`);
    this.#clocks = ownClocks ? { file: path.join(logFolder, `${name}.clocks`), ahead: { wall: 0, steady: 0 } } : null;
    this.#env = { ...env, PORT: String(port), ...(this.#clocks === null ? {} : { HOST_CLOCK: this.#clocks.file }) };
    if (this.#clocks !== null) fs.writeFileSync(this.#clocks.file, new Float64Array(2));
  }

  /** @param changed environment variables to change from now on */
  start(changed: Record<string, string> = {}): void {
    this.#env = { ...this.#env, ...changed };
    const log = fs.openSync(this.#log, "a");
    const preloaded = this.#clocks === null ? [] : ["--import", HOST_CLOCK];
    this.#child = spawn(process.execPath, [...preloaded, "server/main.ts"], {
      cwd: root,
      env: this.#env,
      stdio: ["ignore", log, log],
    });
    fs.closeSync(log);
  }

  async ready(): Promise<void> {
    for (const end = Date.now() + START_MS; ;) {
      if (
        await fetch(`${this.url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return;
      const ended = this.#child?.exitCode ?? this.#child?.signalCode ?? null;
      if (ended !== null || Date.now() > end) {
        const why = ended === null ? `did not respond within ${START_MS / 1_000} s` : `ended with ${ended}`;
        throw new Error(`${this.name} ${why}:\n${fs.readFileSync(this.#log, "utf8")}`);
      }
      await pause(50);
    }
  }

  /** Sends SIGTERM; resolves with the exit code, or the signal that ended it, and the time it took. */
  async terminate(): Promise<{ exit: number | string; ms: number }> {
    const child = this.#child;
    if (child === null) throw new Error(`${this.name} is not running`);
    const startedAt = Date.now();
    child.kill("SIGTERM");
    const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
    return { exit: code ?? signal ?? "none", ms: Date.now() - startedAt };
  }

  /** Stops the process at once, as a paused machine does. */
  freeze(): void {
    this.#child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Shifts its host's clocks by these ms: the wall clock, and the monotonic clock, as after a sleep. */
  moveClocks({ wall = 0, steady = 0 }: { wall?: number; steady?: number }): void {
    if (this.#clocks === null) throw new Error(`${this.name} has no clocks that can be set`);
    const { file, ahead } = this.#clocks;
    ahead.wall += wall;
    ahead.steady += steady;
    // One write, because the process reads both at once.
    const opened = fs.openSync(file, "r+");
    fs.writeSync(opened, new Float64Array([ahead.wall, ahead.steady]), 0, 16, 0);
    fs.closeSync(opened);
  }

  /** Kills the process with SIGKILL and waits for its end. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

/** The product's processes and the simulated outside world, in a temporary folder. */
export type House = {
  web: Member;
  /** all web processes, including the first */
  webs: Member[];
  /** the sending processes */
  senders: Member[];
  outsideUrl: string;
  /** the data folder */
  folder: string;
  close(): Promise<void>;
};

/**
 * @param options.databaseUrl null runs the embedded database in one process; otherwise one web process and `workers` senders
 * @param options.ownClocks whether each worker has a host whose clocks can be set
 */
export async function openHouse(options: {
  databaseUrl: string | null;
  workers: number;
  webs?: number;
  ownClocks?: boolean;
  env?: Record<string, string>;
}): Promise<House> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-chaos-"));
  const [webPort, outsidePort] = [await freePort(), await freePort()];
  const env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    LEADLOOM_DATA: folder,
    LEADLOOM_SANDBOX_EXTERNAL: "1",
    LOG_LEVEL: process.env["CHAOS_LOG"] ?? "warn",
    TRUSTED_PROXIES: "127.0.0.1",
    ...(options.databaseUrl === null ? {} : { DATABASE_URL: options.databaseUrl }),
    ...options.env,
  };
  const outside = spawn(process.execPath, ["tools/chaos/outside.ts"], {
    cwd: root,
    env: { PATH: env["PATH"], LEADLOOM_DATA: folder, PORT: String(webPort), OUTSIDE_PORT: String(outsidePort) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const started: Member[] = [];
  const close = async () => {
    await Promise.all(started.map((member) => member.kill()));
    outside.kill("SIGKILL");
    if (process.env["CHAOS_KEEP"] === undefined) fs.rmSync(folder, { recursive: true, force: true });
  };
  try {
    await once(outside.stdout, "data");
    const isEmbedded = options.databaseUrl === null;
    const web = new Member("web", { ...env, ...(isEmbedded ? {} : { ROLE: "web" }) }, webPort, folder);
    started.push(web);
    web.start();
    await web.ready();
    const webs = [web];
    for (let number = 2; number <= (options.webs ?? 1); number += 1) {
      webs.push(new Member(`web-${number}`, { ...env, ROLE: "web" }, await freePort(), folder));
    }
    const workers: Member[] = [];
    for (let number = 1; number <= options.workers; number += 1) {
      const { ownClocks = false } = options;
      workers.push(new Member(`worker-${number}`, { ...env, ROLE: "worker" }, await freePort(), folder, { ownClocks }));
    }
    const others = [...webs.slice(1), ...workers];
    started.push(...others);
    others.forEach((member) => member.start());
    await Promise.all(others.map((member) => member.ready()));
    return {
      web,
      webs,
      senders: isEmbedded ? [web] : workers,
      folder,
      outsideUrl: `http://127.0.0.1:${outsidePort}`,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
