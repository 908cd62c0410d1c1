import { onTestFinished } from "vitest";
import { testDatabase } from "../../support/database.ts";

/** Returns the address of a database for the processes of one test; null where only the embedded one exists. */
export async function databaseUrl(): Promise<string | null> {
  const { options, drop } = await testDatabase();
  if (options.kind !== "postgres") return null;
  onTestFinished(drop);
  return options.url;
}
