import { execFile } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SCOPES } from "../../../domain/api-key.ts";
import { startTestServer } from "../../support/server.ts";
import { makeKey } from "./support.ts";

/**
 * Scenarios of the suite of the protocol's authors that cannot pass here, by what of their own example server they ask for: a tool, a session,
 * or a capability that this server does not say it has.
 */
const OTHERS = {
  logging: ["logging-set-level"],
  completions: ["completion-complete"],
  resources: [
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
  ],
  prompts: [
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ],
  "a tool of theirs": [
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "json-schema-2020-12",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
  ],
  "a session, where each request is answered by itself": ["server-sse-polling", "server-sse-multiple-streams"],
};

const run = promisify(execFile);
const suite = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
const cli = path.join(path.dirname(suite), "dist/index.js");

const server = await startTestServer();
let door: http.Server;
let secret: string;
beforeAll(async () => {
  ({ secret } = await makeKey(server, await server.subscriber(), [...SCOPES]));
  door = await openDoor();
});
afterAll(async () => {
  door.closeAllConnections();
  door.close();
  await server.stop();
});

/** The suite knows no keys: this hands on its requests as they are, with one. */
async function openDoor(): Promise<http.Server> {
  const opened = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${secret}` };
    const onward = http.request(`${server.url}${request.url ?? ""}`, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => opened.listen(0, "127.0.0.1", resolve));
  return opened;
}

it("passes each scenario of the protocol's own suite but those for what its example server alone has", async () => {
  const baseline = path.join(server.dataDir, "others.yaml");
  fs.writeFileSync(baseline, JSON.stringify({ server: Object.values(OTHERS).flat() }));
  const url = `http://localhost:${(door.address() as AddressInfo).port}/mcp`;
  const given = ["server", "--suite", "all", "--url", url, "--expected-failures", baseline];
  // It fails for a scenario that fails and is not listed, and for one that is listed and passes.
  const { stdout } = await run(process.execPath, [cli, ...given], { cwd: server.dataDir }).catch(
    ({ stdout: told, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${told}\n${stderr}`);
    },
  );
  const passed = [...stdout.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed/gm)].map(([, name = ""]) => name);
  expect(new Set(passed)).toEqual(new Set(["server-initialize", "ping", "tools-list", "dns-rebinding-protection"]));
});
