import type { TestProject } from "vitest/node";
import { startPostgres } from "../../scripts/postgres.mjs";
import { makeTemplate } from "./database.ts";
import { makeRunFolder } from "./run-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the Postgres that the tests use; null for the embedded database. */
    postgresUrl: string | null;
    /** The folder of all temporary files of the run. */
    runFolder: string;
  }
}

/** Uses TEST_DATABASE_URL if set, else starts a Postgres for this run, else leaves the tests on the embedded database. */
export default async function setUp(project: TestProject): Promise<() => void> {
  const { folder, remove } = makeRunFolder();
  project.provide("runFolder", folder);
  const given = process.env["TEST_DATABASE_URL"];
  const own = given === undefined ? await startPostgres({ folder }) : null;
  const url = given ?? own?.url ?? null;
  project.provide("postgresUrl", url);
  await makeTemplate(url);
  return () => {
    own?.stop();
    remove();
  };
}
