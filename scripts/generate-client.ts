// npm run generate:client: writes the types of the client from the OpenAPI page.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { typesOf } from "../client/generate.ts";
import { readConfig } from "../server/core/config.ts";
import { startServer } from "../server/server.ts";

const data = mkdtempSync(path.join(os.tmpdir(), "leadloom-reference-"));
const server = await startServer(readConfig({ LEADLOOM_DATA: data, PORT: "0", LOG_LEVEL: "error" }));
try {
  const page = await server.app.inject("/api/openapi.json");
  const file = fileURLToPath(new URL("../client/schema.d.ts", import.meta.url));
  writeFileSync(file, await typesOf(page.json<object>()));
  console.log(`written: ${path.relative(process.cwd(), file)}`);
} finally {
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
