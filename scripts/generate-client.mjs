// npm run generate:client: generates the client's types from the OpenAPI document when the server's routes may have changed.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fingerprint, root, print } from "./setup.mjs";

const file = path.join(root, "client/schema.d.ts");
const marker = path.join(root, "client/schema.fingerprint");
const wanted = fingerprint("server", "domain", "client/generate.ts", "package-lock.json");

if (!existsSync(file) || !existsSync(marker) || readFileSync(marker, "utf8") !== wanted) {
  print("generating the client's types (client/schema.d.ts)");
  writeFileSync(file, await typesOfCalls());
  writeFileSync(marker, wanted);
}

async function typesOfCalls() {
  const [{ typesOf }, { readConfig }, { startServer }] = await Promise.all([
    import("../client/generate.ts"),
    import("../server/core/config.ts"),
    import("../server/server.ts"),
  ]);
  const data = mkdtempSync(path.join(os.tmpdir(), "leadloom-reference-"));
  const server = await startServer(readConfig({ LEADLOOM_DATA: data, PORT: "0", LOG_LEVEL: "error" }));
  try {
    const page = await server.app.inject("/api/openapi.json");
    return await typesOf(page.json());
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
}
