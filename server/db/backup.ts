import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { systemClock } from "../core/clock.ts";
import { openDatabase } from "./index.ts";
import { lockFolder } from "./folder-lock.ts";
import { RESTORED } from "./pglite.ts";
import type { Engine } from "./pool.ts";

const BACKUPS_MAX = 48;
const NAME = /^leadloom-[\dTZ-]+\.tar\.gz$/;

const folderOf = (dataDir: string): string => path.join(dataDir, "backups");
const nameFor = (at: Date): string => `leadloom-${at.toISOString().replaceAll(/[:.]/g, "-")}.tar.gz`;

/** Returns the backups of a data folder, newest first. */
export function listBackups(dataDir: string): string[] {
  const folder = folderOf(dataDir);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
    .map((name) => path.join(folder, name));
}

/**
 * Writes a backup of the embedded database to `backups` in the data folder and deletes the oldest beyond 48.
 * @returns the file's path
 */
export async function writeBackup(engine: Engine, dataDir: string): Promise<string> {
  const content = await engine.dump();
  fs.mkdirSync(folderOf(dataDir), { recursive: true, mode: 0o700 });
  const file = path.join(folderOf(dataDir), nameFor(new Date(systemClock.wall())));
  const draft = `${file}.new`;
  try {
    fs.writeFileSync(draft, content, { mode: 0o600, flush: true });
    fs.renameSync(draft, file);
  } finally {
    // After a failure, the partial file would keep a full disk full.
    fs.rmSync(draft, { force: true });
  }
  for (const old of listBackups(dataDir).slice(BACKUPS_MAX)) fs.rmSync(old, { force: true });
  return file;
}

export type Restored = { users: number; leads: number; messages: number; previousDir: string | null };

/**
 * Replaces the embedded database with a backup, migrated to the newest schema. Keeps the previous one next to it.
 * @throws when a process uses the folder, or when the file is not a backup; nothing has changed then
 */
export async function restoreBackup(dataDir: string, file: string): Promise<Restored> {
  const lock = await lockFolder(dataDir);
  const draft = path.join(dataDir, "restoring");
  const restored = path.join(dataDir, RESTORED);
  try {
    const template = new Uint8Array(gunzipSync(fs.readFileSync(file)));
    fs.rmSync(draft, { recursive: true, force: true });
    const counts = await fill(draft, template);
    fs.rmSync(restored, { recursive: true, force: true });
    fs.renameSync(path.join(draft, "postgres"), restored);
    const current = path.join(dataDir, "postgres");
    const previousDir = fs.existsSync(current) ? `${current}-before-${systemClock.wall()}` : null;
    if (previousDir !== null) fs.renameSync(current, previousDir);
    fs.renameSync(restored, current);
    return { ...counts, previousDir };
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
    await lock.release();
  }
}

async function fill(dataDir: string, template: Uint8Array): Promise<Omit<Restored, "previousDir">> {
  const { engine, close } = await openDatabase({ kind: "pglite", dataDir, template });
  try {
    const { rows } = await engine.pool.query<Omit<Restored, "previousDir">>(
      `select (select count(*)::int from auth.users) as users, (select count(*)::int from leads) as leads,
        (select count(*)::int from messages) as messages`,
    );
    return rows[0] ?? { users: 0, leads: 0, messages: 0 };
  } finally {
    await close();
  }
}
