import type { TestProject } from "vitest/node";
import { makeTemplate } from "./database.ts";

export default async function setUp(project: TestProject): Promise<void> {
  project.provide("postgresUrl", null);
  await makeTemplate(null);
}
