// npm run backup: backs up the embedded database now, whether or not a server is using it.
import { readArguments } from "../../scripts/arguments.mjs";
import { readConfig } from "../core/config.ts";
import { writeBackup } from "./backup.ts";
import { askForBackup } from "./folder-lock.ts";
import { openDatabase } from "./index.ts";
import { requireStore } from "./pglite.ts";

readArguments("npm run backup");
const print = (text: string) => process.stdout.write(`leadloom · ${text}\n`);

async function backUp(dataDir: string): Promise<string> {
  const made = await askForBackup(dataDir);
  if (made !== null) return made;
  const { engine, close } = await openDatabase({ kind: "pglite", dataDir });
  try {
    return await writeBackup(engine, dataDir);
  } finally {
    await close();
  }
}

try {
  const { database } = readConfig(process.env);
  if (database.kind === "postgres")
    throw new Error("DATABASE_URL is set: back up a real Postgres with pg_dump (docs/operations.md).");
  requireStore(database.dataDir);
  print(`backup written to ${await backUp(database.dataDir)}`);
  print("keep secrets.json of the data folder as well, in another place: its key encrypts the Telegram sessions");
} catch (error) {
  print((error as Error).message);
  process.exitCode = 1;
}
