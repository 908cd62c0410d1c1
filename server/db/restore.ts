// npm run restore -- <file>: replaces the embedded database with a backup. Refuses a folder in use.
import path from "node:path";
import { readArguments } from "../../scripts/arguments.mjs";
import { readConfig } from "../core/config.ts";
import { listBackups, restoreBackup } from "./backup.ts";

const { positionals } = readArguments("npm run restore -- FILE", { allowPositionals: true });
const print = (text: string) => process.stdout.write(`leadloom · ${text}\n`);

try {
  const { database } = readConfig(process.env);
  if (database.kind === "postgres")
    throw new Error("DATABASE_URL is set: restore a real Postgres with pg_restore (docs/operations.md).");
  const [file] = positionals;
  if (file === undefined)
    throw new Error(
      `Which one? npm run restore -- <file>\n${listBackups(database.dataDir).slice(0, 10).join("\n") || "There is no backup yet."}`,
    );
  const { users, leads, messages, previousDir } = await restoreBackup(database.dataDir, path.resolve(file));
  print(`restored ${users} users, ${leads} leads, ${messages} messages`);
  if (previousDir !== null)
    print(`the previous database is kept in ${previousDir}; delete it once you have checked the restored one`);
} catch (error) {
  print(`nothing was changed: ${(error as Error).message}`);
  process.exitCode = 1;
}
