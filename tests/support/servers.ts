import { afterAll } from "vitest";
import { startAuthServer, type AuthServer } from "./auth-server.ts";
import { startTestEngine, type TestEngine } from "./engine.ts";
import { startTestServer, type TestServer } from "./server.ts";

type Env = Record<string, string>;
const shared = new Map<string, Promise<TestServer>>();

/**
 * Returns the server with these settings that the test files of a worker share. Each test uses its own users. A file that moves the clock
 * by days, or changes server parts or whole tables, uses `ownServer`.
 */
export function sharedServer(env: Env = {}): Promise<TestServer> {
  const name = JSON.stringify(env);
  const server = shared.get(name) ?? startTestServer({ env });
  shared.set(name, server);
  return server;
}

/** Starts a server for one test file and stops it after its tests. */
export async function ownServer(env: Env = {}): Promise<TestServer> {
  const server = await startTestServer({ env });
  afterAll(() => server.stop());
  return server;
}

/** Starts the sending half of the product for one test file and stops it after its tests. */
export async function ownEngine(): Promise<TestEngine> {
  const engine = await startTestEngine();
  afterAll(() => engine.stop());
  return engine;
}

/** Starts only the sign-in for one test file and stops it after its tests. */
export async function ownAuthServer(options?: Parameters<typeof startAuthServer>[0]): Promise<AuthServer> {
  const server = await startAuthServer(options);
  afterAll(() => server.stop());
  return server;
}
