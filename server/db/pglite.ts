import fs from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { systemClock, withTimeout } from "../core/clock.ts";
import { lockFolder } from "./folder-lock.ts";
import type { WorkerOptions, WorkerReply, WorkerRequest } from "./pglite-worker.ts";
import type { Engine, PoolClient, QueryResult } from "./pool.ts";

/** A transaction that holds the only session longer than this contains a call that waits for that session. */
const SESSION_WAIT_MS = 60_000;

type Pending = {
  resolve: (reply: { rows: unknown[]; rowCount: number; dump?: Uint8Array }) => void;
  reject: (error: Error) => void;
};
type Call = WorkerRequest extends infer R ? (R extends { id: number } ? Omit<R, "id"> : never) : never;

/** Holds a restored database until it replaces the current one. */
export const RESTORED = "postgres-restored";

/** Throws, with a message for the operator, if a data folder holds no embedded database. Opening the folder would create one. */
export function requireStore(dataDir: string): void {
  if (!["postgres", RESTORED].some((name) => fs.existsSync(path.join(dataDir, name, "PG_VERSION"))))
    throw new Error(`There is no embedded store in ${dataDir}. Set LEADLOOM_DATA to the folder of the installation.`);
}

/** Finishes a restore that was interrupted after it moved the previous database away. An earlier interruption changed nothing. */
function finishRestore(dataDir: string, folder: string): void {
  const restored = path.join(dataDir, RESTORED);
  if (!fs.existsSync(restored)) return;
  if (fs.existsSync(folder)) fs.rmSync(restored, { recursive: true });
  else fs.renameSync(restored, folder);
}

/**
 * Opens the embedded Postgres in a worker thread, so that a slow query does not block the server. With a folder: owned by this process
 * only, every commit synced to disk. Without one: in memory.
 * @param options.template a dump to start from, if the folder is new or in memory
 * @throws when another process holds the folder, or when commits would not reach the disk
 */
export async function openPglite(options: { dataDir: string | null; template?: Uint8Array | null }): Promise<Engine> {
  const folder = options.dataDir === null ? null : path.join(options.dataDir, "postgres");
  const lock = options.dataDir === null ? null : await lockFolder(options.dataDir);
  if (options.dataDir !== null && folder !== null) finishRestore(options.dataDir, folder);
  const isNew = folder === null || !fs.existsSync(path.join(folder, "PG_VERSION"));
  const worker = new Worker(new URL("./pglite-worker.ts", import.meta.url), {
    workerData: { dataDir: folder, template: isNew ? (options.template ?? null) : null } satisfies WorkerOptions,
  });
  const pending = new Map<number, Pending>();
  const listeners = new Map<string, Set<(payload: string) => void>>();
  let nextId = 1;
  let closed: Error | null = null;

  const call = (request: Call) =>
    new Promise<{ rows: unknown[]; rowCount: number; dump?: Uint8Array }>((resolve, reject) => {
      if (closed !== null) return reject(closed);
      const id = nextId++;
      pending.set(id, { resolve, reject });
      worker.postMessage({ ...request, id });
    });
  const fail = (error: Error) => {
    closed = error;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };

  await new Promise<void>((resolve, reject) => {
    worker.on("error", (error) => {
      fail(error as Error);
      reject(error);
    });
    worker.on("exit", () => fail(new Error("The embedded database has stopped.")));
    worker.on("message", (reply: WorkerReply) => {
      if ("ready" in reply) {
        if (folder !== null && reply.ready.syncs === 0) {
          reject(new Error("The embedded database does not sync its commits to disk; refusing to risk your data."));
        }
        resolve();
      } else if ("failed" in reply) reject(new Error(`The embedded database did not start: ${reply.failed}`));
      else if ("notification" in reply)
        listeners.get(reply.notification)?.forEach((listener) => listener(reply.payload));
      else settle(pending, reply);
    });
  }).catch(async (error: unknown) => {
    await worker.terminate();
    await lock?.release();
    throw error;
  });

  const session = oneAtATime();
  const run = async <Row>(sql: string, params?: readonly unknown[]): Promise<QueryResult<Row>> => {
    const reply = params?.length
      ? await call({ op: "query", sql, params: [...params] })
      : await call({ op: "exec", sql });
    return { rows: reply.rows as Row[], rowCount: reply.rowCount, command: sql.trimStart().slice(0, 6).toUpperCase() };
  };

  return {
    kind: "pglite",
    pool: {
      async connect(): Promise<PoolClient> {
        const release = await session();
        return { query: run, release };
      },
      async query(sql, params) {
        const release = await session();
        try {
          return await run(sql, params);
        } catch (error) {
          // A failed multi-statement text leaves its transaction open in the only session.
          if (!params?.length) await run("rollback").catch(() => {});
          throw error;
        } finally {
          release();
        }
      },
      async end() {},
    },
    async listen(channel, onPayload) {
      const known = listeners.get(channel);
      if (known) known.add(onPayload);
      else {
        listeners.set(channel, new Set([onPayload]));
        await call({ op: "listen", channel });
      }
    },
    async dump(compression = "gzip") {
      const release = await session();
      try {
        return (await call({ op: "dump", compression })).dump ?? new Uint8Array();
      } finally {
        release();
      }
    },
    onBackupAsked: (make) => lock?.onBackup(make),
    sessions: () => ({ open: 1, idle: session.callers() === 0 ? 1 : 0, waiting: Math.max(0, session.callers() - 1) }),
    async close() {
      const release = await session();
      await call({ op: "close" }).catch(() => {});
      release();
      await worker.terminate();
      await lock?.release();
    },
  };
}

function settle(pending: Map<number, Pending>, reply: Extract<WorkerReply, { id: number }>): void {
  const waiting = pending.get(reply.id);
  pending.delete(reply.id);
  if (waiting === undefined) return;
  if ("error" in reply) waiting.reject(Object.assign(new Error(reply.error.message), reply.error.fields));
  else if ("dump" in reply) waiting.resolve({ rows: [], rowCount: 0, dump: reply.dump });
  else waiting.resolve(reply);
}

/** Lends the only session to one caller at a time, in order. */
function oneAtATime(): { (): Promise<() => void>; callers(): number } {
  let callers = 0;
  let last: Promise<void> = Promise.resolve();
  const take = async () => {
    let release = () => {};
    callers += 1;
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    void mine.then(() => (callers -= 1));
    const before = last;
    last = before.then(() => mine);
    await withTimeout(systemClock, SESSION_WAIT_MS, before, () => {
      release();
      throw new Error(
        "Waited a minute for the embedded database's session: a transaction is waiting for a query outside itself.",
      );
    });
    return release;
  };
  return Object.assign(take, { callers: () => callers });
}
