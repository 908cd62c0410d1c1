import { onTestFinished } from "vitest";
import { testDatabase } from "../../support/database.ts";

/** Address of a database for the processes of one test; null where the machine has only the embedded one. */
export async function databaseUrl(): Promise<string | null> {
  const { options, drop } = await testDatabase();
  if (options.kind !== "postgres") return null;
  onTestFinished(drop);
  return options.url;
}
