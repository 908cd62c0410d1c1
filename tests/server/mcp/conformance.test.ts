import { execFile } from "node:child_process";
import http from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { SCOPES } from "../../../domain/api-key.ts";
import { ownServer } from "../../support/server.ts";
import { makeKey } from "./support.ts";

/** The suite's other scenarios need its example server: the tools there, a session, prompts and resources. */
const SCENARIOS = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

const run = promisify(execFile);
const suite = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
const cli = path.join(path.dirname(suite), "dist/index.js");

const server = await ownServer();
const { secret } = await makeKey(server, await server.subscriber(), [...SCOPES]);
const proxy = await openProxy();
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

/** The suite cannot send API keys: this proxy adds one to each request. */
async function openProxy(): Promise<http.Server> {
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

it.each(SCENARIOS)("passes the scenario %s of the protocol's own suite", async (scenario) => {
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
  const given = ["server", "--scenario", scenario, "--url", url];
  const { stdout } = await run(process.execPath, [cli, ...given], { cwd: server.dataDir }).catch(
    ({ stdout: output, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${output}\n${stderr}`);
    },
  );
  expect(stdout).toMatch(/^Passed: ([1-9]\d*)\/\1, 0 failed/m);
});
