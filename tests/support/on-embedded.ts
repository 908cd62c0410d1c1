import type { TestProject } from "vitest/node";
import { makeTemplate } from "./database.ts";
import { makeRunFolder } from "./run-folder.ts";

/** Runs the tests on the embedded database, even where a Postgres is available. */
export default async function setUp(project: TestProject): Promise<() => void> {
  const { folder, remove } = makeRunFolder();
  project.provide("runFolder", folder);
  project.provide("postgresUrl", null);
  await makeTemplate(null);
  return remove;
}
