import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { startAuthServer, type AuthServer } from "./auth-server.ts";

export type RecordedRequest = { line: string; headers: http.IncomingHttpHeaders; body: string };
export type ProjectAnswer = { status: number; headers?: http.OutgoingHttpHeaders; body: string | Buffer };

/** Simulates a hosted Supabase project for one test file: records requests and returns the given responses. */
export async function ownProject(answer: () => ProjectAnswer) {
  const requests: RecordedRequest[] = [];
  const listener = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      const { status, headers, body: text } = answer();
      response.writeHead(status, headers).end(text);
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  afterAll(() => void listener.close());
  return { requests, url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}` };
}

/** Starts another server on the same database whose sign-in is the project at `url`. */
export const startFront = (
  embedded: AuthServer,
  url: string,
  keys: { anon?: string; service?: string } = {},
  env: Record<string, string> = {},
) =>
  startAuthServer({
    share: embedded.deps,
    env: {
      SUPABASE_URL: url,
      SUPABASE_ANON_KEY: keys.anon ?? "k",
      SUPABASE_SERVICE_ROLE_KEY: keys.service ?? "k",
      DATABASE_URL: "postgres://shared-with-the-first/server",
      ...env,
    },
  });
