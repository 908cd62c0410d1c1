import fs from "node:fs";
import net from "node:net";
import path from "node:path";

const BACKUP = "backup\n";
const REQUEST_MS = 600_000;

export type FolderLock = {
  /** Sets how the owner makes a backup when another process of this machine asks for one; resolves to the file's path. */
  onBackup(make: () => Promise<string>): void;
  release(): Promise<void>;
};

/** A relative path stays below the 108 bytes of a socket's address. */
function addressOf(dataDir: string): string {
  const socketPath = path.relative(process.cwd(), path.join(dataDir, ".lock.sock"));
  return socketPath.length < 100
    ? socketPath
    : path.join("/tmp", `leadloom-${Buffer.from(dataDir).toString("base64url").slice(-60)}.sock`);
}

/**
 * Makes this process the folder's only owner, because two would silently lose each other's rows. The lock is a socket, so a killed owner
 * leaves nothing to clean up.
 * @throws when another process holds the folder
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const address = addressOf(dataDir);
  let backup: (() => Promise<string>) | null = null;
  const sockets = new Set<net.Socket>();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("error", () => {});
      socket.once("data", (request) => {
        if (request.toString() !== BACKUP || backup === null) socket.destroy();
        else
          backup().then(
            (file) => socket.end(file),
            () => socket.destroy(),
          );
      });
    });
    const outcome = await new Promise<"held" | "busy">((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) =>
        error.code === "EADDRINUSE" ? resolve("busy") : reject(error),
      );
      server.listen(address, () => resolve("held"));
    });
    if (outcome === "held") {
      server.unref();
      return {
        onBackup: (make) => (backup = make),
        release: () =>
          new Promise((resolve) => {
            server.close(() => resolve());
            sockets.forEach((socket) => socket.destroy());
          }),
      };
    }
    const found = identityOf(address);
    if (await isAnswering(address)) {
      throw new Error(
        `The data folder ${dataDir} is in use by another Leadloom process. Stop it first, or set LEADLOOM_DATA to another folder.`,
      );
    }
    // Another process may have replaced the killed owner's socket since.
    if (identityOf(address) === found) fs.rmSync(address, { force: true });
  }
  throw new Error(`The data folder ${dataDir} could not be locked.`);
}

/** Returns an id of the socket at an address. Includes the time, because the next socket may reuse the inode. */
function identityOf(address: string): string | null {
  const stats = fs.statSync(address, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino} ${stats.ctimeNs}`;
}

function isAnswering(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect(address);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => resolve(false));
  });
}

/**
 * Asks the process that owns the folder for a backup.
 * @returns the file's path, or null if there is no owner
 * @throws when the owner could not make one
 */
export function askForBackup(dataDir: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(addressOf(dataDir));
    let file = "";
    socket.setTimeout(REQUEST_MS, () => socket.destroy());
    socket.once("connect", () => socket.write(BACKUP));
    socket.on("data", (chunk) => (file += chunk.toString()));
    socket.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" || error.code === "ECONNREFUSED" ? resolve(null) : reject(error),
    );
    socket.once("close", () =>
      file === "" ? reject(new Error("The running server could not make a backup; its log says why.")) : resolve(file),
    );
  });
}
