import fs from "node:fs";
import path from "node:path";

/** The server's time. Everything that reads time reads it here, so that the sandbox can move it. Milliseconds since 1970. */
export type Clock = {
  now(): number;
  iso(): string;
};

/** A clock that a person may move forward; the offset outlives a restart. */
export type SandboxClock = Clock & {
  readonly offsetSeconds: number;
  advance(seconds: number): void;
  /** Reads the offset that another process of the same data folder has stored. */
  reload(): void;
  onMove(listener: () => void): () => void;
};

export const systemClock: Clock = { now: () => Date.now(), iso: () => new Date().toISOString() };

/** A movable clock whose offset is kept in `folder`/clock.json. */
export function createSandboxClock(folder: string): SandboxClock {
  const file = path.join(folder, "clock.json");
  const listeners = new Set<() => void>();
  const stored = (): number => {
    try {
      const { offset_seconds } = JSON.parse(fs.readFileSync(file, "utf8")) as { offset_seconds?: unknown };
      return typeof offset_seconds === "number" && Number.isFinite(offset_seconds) ? offset_seconds : 0;
    } catch {
      return 0;
    }
  };
  let offset = stored();
  const moved = () => listeners.forEach((listener) => listener());
  const now = () => Date.now() + offset * 1000;
  return {
    now,
    iso: () => new Date(now()).toISOString(),
    get offsetSeconds() {
      return offset;
    },
    advance(seconds) {
      offset += seconds;
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      fs.writeFileSync(`${file}.new`, JSON.stringify({ offset_seconds: offset }));
      fs.renameSync(`${file}.new`, file);
      moved();
    },
    reload() {
      const next = stored();
      if (next === offset) return;
      offset = next;
      moved();
    },
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
