import { createServer, type IncomingMessage } from "node:http";
import { SandboxError, startTelegramNetwork } from "./index.ts";

/**
 * The network on its own: `node server/sandbox/telegram/main.ts <dir>`. Prints one JSON line, {connection, levers}, and
 * answers `POST <levers>/<lever>` with a JSON array of the lever's arguments, and `POST <levers>/advance` with [seconds].
 */
const dir = process.argv[2];
if (dir === undefined) throw new Error("usage: node server/sandbox/telegram/main.ts <dir>");

let offset = 0;
const network = await startTelegramNetwork({ dir, clock: { now: () => Date.now() + offset } });

type Lever = (...input: never[]) => unknown;
const NO_LEVERS = new Set(["close", "onChange"]);
const byName = new Map<string, Lever>(
  Object.entries(network).filter((entry): entry is [string, Lever] => {
    const [name, value] = entry as [string, unknown];
    return typeof value === "function" && !NO_LEVERS.has(name);
  }),
);
byName.set("advance", (seconds: number) => {
  offset += seconds * 1000;
});

async function body(request: IncomingMessage): Promise<unknown[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const input: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8") || "[]");
  if (!Array.isArray(input))
    throw new SandboxError(422, "invalid", "The body is a JSON array of the lever's arguments.");
  return input;
}

async function pull(request: IncomingMessage): Promise<unknown> {
  const lever = byName.get(request.url?.slice(1) ?? "");
  if (lever === undefined) throw new SandboxError(404, "unknown_lever", `There is no lever ${request.url ?? ""}.`);
  return lever(...((await body(request)) as never[]));
}

const server = createServer((request, response) => {
  const answer = (status: number, value: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value ?? null));
  };
  pull(request).then(
    (value) => answer(200, value),
    (error: unknown) => {
      const known = error instanceof SandboxError;
      answer(known ? error.status : 500, { code: known ? error.code : "internal", message: String(error) });
    },
  );
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ connection: network.connection, levers: `http://127.0.0.1:${port}` })}\n`);
});

const stop = (): void => {
  server.close();
  network.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
};
process.once("SIGTERM", stop);
process.once("SIGINT", stop);
