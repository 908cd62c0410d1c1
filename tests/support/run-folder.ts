import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const IN_MEMORY = "/dev/shm";
const ROOM_BYTES = 2 * 1024 ** 3;

/** Creates a temporary folder, which is deleted after the run. */
export const newFolder = (): string => fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-"));

const hasRoom = (folder: string): boolean => {
  if (!fs.existsSync(folder)) return false;
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize >= ROOM_BYTES;
};

/** Creates the folder for the temporary files of a run: in memory if there is room, because disks are slow. */
export function makeRunFolder(): { folder: string; remove(): void } {
  const folder = fs.mkdtempSync(path.join(hasRoom(IN_MEMORY) ? IN_MEMORY : os.tmpdir(), "leadloom-tests-"));
  // Postgres runs as another user and keeps its data in this folder.
  fs.chmodSync(folder, 0o711);
  return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
