import { execFile } from "node:child_process";
import http from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { SCOPES } from "../../../domain/api-key.ts";
import { makeKey } from "./support.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

/**
 * What the conformance suite of the protocol's authors asks of a server that has tools and nothing else. Its other scenarios call tools,
 * resources and prompts of its own example server by name.
 */
const SCENARIOS = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

const run = promisify(execFile);
const suite = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
const cli = path.join(path.dirname(suite), "dist/index.js");

/** The suite knows no keys: this hands on its requests as they are, with one. */
async function openDoor(server: TestServer): Promise<http.Server> {
  const { secret } = await makeKey(server, await server.subscriber(), [...SCOPES]);
  const door = http.createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${secret}` };
    const onward = http.request(`${server.url}${request.url ?? ""}`, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  return door;
}

/** What the suite said of a scenario. */
async function outcomeOf(url: string, scenario: string): Promise<{ isPassed: boolean; words: string }> {
  const { stdout } = await run(process.execPath, [cli, "server", "--url", url, "--scenario", scenario]).catch(
    ({ stdout: told, stderr }: { stdout: string; stderr: string }) => ({ stdout: `${told}\n${stderr}` }),
  );
  const verdict = /Passed: [1-9]\d*\/\d+, 0 failed, \d+ warnings/.exec(stdout)?.[0];
  return { isPassed: verdict !== undefined, words: verdict ?? stdout };
}

const server = await startTestServer();
const door = await openDoor(server);
const url = `http://localhost:${(door.address() as AddressInfo).port}/mcp`;
for (const scenario of SCENARIOS) {
  const { isPassed, words } = await outcomeOf(url, scenario);
  console.log(`${scenario}: ${words}`);
  if (!isPassed) process.exitCode = 1;
}
door.closeAllConnections();
door.close();
await server.stop();
