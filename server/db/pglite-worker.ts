import fs from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { parsers } from "./type-parsers.ts";

export type WorkerRequest =
  | { id: number; op: "query"; sql: string; params: unknown[] }
  | { id: number; op: "exec"; sql: string }
  | { id: number; op: "listen"; channel: string }
  | { id: number; op: "dump"; compression: "gzip" | "none" }
  | { id: number; op: "close" };
export type WorkerOptions = { dataDir: string | null; template: Uint8Array | null };
export type WorkerReply =
  | { id: number; rows: unknown[]; rowCount: number }
  | { id: number; dump: Uint8Array }
  | { id: number; error: { message: string; fields: Record<string, unknown> } }
  | { notification: string; payload: string }
  | { ready: { syncs: number } }
  | { failed: string };

const port = parentPort;
if (port === null) throw new Error("pglite-worker runs as a worker thread");
const send = (reply: WorkerReply) => port.postMessage(reply);
const options = workerData as WorkerOptions;

/** PGlite's file system has no fsync; a commit must reach the disk before it is acknowledged. */
let syncs = 0;
function syncForReal(database: PGlite): void {
  type NodeFs = { stream_ops: { fsync?: (stream: { nfd: number | null }) => number } };
  const { Module } = database as unknown as { Module: { FS: { filesystems: { NODEFS: NodeFs } } } };
  Module.FS.filesystems.NODEFS.stream_ops.fsync = (stream) => {
    if (stream.nfd != null) fs.fdatasyncSync(stream.nfd);
    syncs += 1;
    return 0;
  };
}

const durable = [...PGlite.defaultStartParams.filter((param) => param !== "-F"), "-c", "wal_sync_method=fsync"];

async function open(): Promise<PGlite> {
  const database = await PGlite.create({
    ...(options.dataDir === null ? {} : { dataDir: options.dataDir, startParams: durable }),
    ...(options.template === null ? {} : { loadDataDir: new Blob([options.template as Uint8Array<ArrayBuffer>]) }),
    extensions: { pg_trgm, btree_gin },
    parsers,
  });
  if (options.dataDir !== null) syncForReal(database);
  await database.exec("set time zone 'UTC'");
  return database;
}

function errorReply(id: number, error: unknown): WorkerReply {
  const { message, ...rest } = error as Error & Record<string, unknown>;
  const known = ["code", "detail", "hint", "constraint", "table", "column", "schema", "severity", "where", "position"];
  return {
    id,
    error: {
      message,
      fields: Object.fromEntries(known.filter((key) => rest[key] !== undefined).map((key) => [key, rest[key]])),
    },
  };
}

const isWrite = /^\s*(insert|update|delete|merge)/i;

async function answer(database: PGlite, request: WorkerRequest): Promise<void> {
  switch (request.op) {
    case "query": {
      const result = await database.query(request.sql, request.params);
      const rowCount = isWrite.test(request.sql) ? (result.affectedRows ?? 0) : result.rows.length;
      return send({ id: request.id, rows: result.rows, rowCount: rowCount || (result.affectedRows ?? 0) });
    }
    case "exec": {
      const results = await database.exec(request.sql);
      return send({
        id: request.id,
        rows: results.flatMap((result) => result.rows),
        rowCount: results.at(-1)?.affectedRows ?? 0,
      });
    }
    case "listen":
      await database.listen(request.channel, (payload) => send({ notification: request.channel, payload }));
      return send({ id: request.id, rows: [], rowCount: 0 });
    case "dump": {
      const dump = await database.dumpDataDir(request.compression);
      return send({ id: request.id, dump: new Uint8Array(await dump.arrayBuffer()) });
    }
    case "close":
      await database.close();
      return send({ id: request.id, rows: [], rowCount: 0 });
  }
}

try {
  const database = await open();
  if (options.dataDir !== null) {
    await database.exec(
      "create table if not exists public.leadloom_boot (at timestamptz); truncate public.leadloom_boot; insert into public.leadloom_boot values (now()); drop table public.leadloom_boot;",
    );
  }
  port.on("message", (request: WorkerRequest) => {
    answer(database, request).catch((error: unknown) => send(errorReply(request.id, error)));
  });
  send({ ready: { syncs } });
} catch (error) {
  send({ failed: error instanceof Error ? error.message : String(error) });
}
