// npm run migrate:embedded -- --to <DATABASE_URL>: moves an embedded installation to an empty Postgres. The source is unchanged.
import fs from "node:fs";
import path from "node:path";
import { readArguments, refuseArguments } from "../../scripts/arguments.mjs";
import { readConfig } from "../core/config.ts";
import { moveStore } from "./move.ts";
import { openPglite, requireStore } from "./pglite.ts";
import { openPostgres } from "./postgres.ts";

const USAGE = "npm run migrate:embedded -- --to postgres://user:password@host/database";
const print = (text: string) => process.stdout.write(`leadloom · ${text}\n`);

function readTarget(): string {
  const { to } = readArguments(USAGE, { options: { to: { type: "string" } } }).values;
  if (typeof to !== "string" || !/^postgres(ql)?:\/\//.test(to))
    refuseArguments("Name the database after --to.", USAGE);
  return to;
}

function folderOf(env: NodeJS.ProcessEnv): string {
  const dataDir = path.resolve(env["LEADLOOM_DATA"]?.trim() || "data");
  requireStore(dataDir);
  return dataDir;
}

async function move(url: string, dataDir: string): Promise<void> {
  // Like the server, fails early when the folder's secrets are lost.
  readConfig({ ...process.env, DATABASE_URL: undefined, DATABASE_URL_FILE: undefined, LEADLOOM_DATA: dataDir });
  const source = await openPglite({ dataDir });
  try {
    const limits = { poolSize: 1, statementMs: 0, lockMs: 0, idleTransactionMs: 0, queryMs: 0 };
    const target = await openPostgres({ url, limits }).catch((error: unknown) => {
      throw new Error(`The target does not respond: ${(error as Error).message}`);
    });
    try {
      const { tables, rows } = await moveStore(source.pool, target.pool, print);
      print(`moved ${rows.toLocaleString("en")} rows of ${tables} tables; every count and checksum is the same there`);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function printNextSteps(dataDir: string): void {
  print(`start it with DATABASE_URL set, and LEADLOOM_DATA=${dataDir} as before`);
  print(
    `outside of the database: ${path.join(dataDir, "secrets.json")} holds the key of the Telegram sessions. On another machine copy it into the data folder there, or write its encryptionKey as ENCRYPTION_KEYS=1:<encryptionKey>; set SUPABASE_JWT_SECRET to its jwtSecret to keep users signed in`,
  );
  if (fs.existsSync(path.join(dataDir, "sandbox")))
    print(
      `${path.join(dataDir, "sandbox")} contains the simulated Telegram and card provider: copy it if you use them`,
    );
  print(
    "pictures and videos are in the database and were moved too; the embedded database is unchanged: keep it until you have checked the new one",
  );
}

const url = readTarget();
try {
  const dataDir = folderOf(process.env);
  await move(url, dataDir);
  printNextSteps(dataDir);
} catch (error) {
  print(`nothing was moved: ${(error as Error).message}`);
  process.exitCode = 1;
}
