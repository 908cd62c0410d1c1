import { createHash } from "node:crypto";
import http from "node:http";
import { endpoints } from "./api.ts";
import { parseForm, type Form } from "./form.ts";
import { advance } from "./lifecycle.ts";
import type { Store } from "./store.ts";
import { ApiError, newId } from "./wire.ts";
import type { World } from "./world.ts";

const LONGEST_BODY = 262_144;
/** Idempotent responses are stored for a day (docs.stripe.com/api/idempotent_requests). */
const ANSWER_RETENTION_MS = 86_400_000;

export type Answer = { status: number; body: string };
type Request = { method: string; path: string; form: Form; key: string | null; fingerprint: string };

/** Deletes stored responses whose idempotency keys have expired. */
export const dropExpiredResponses = (store: Store, now: number): void =>
  store.run("delete from answers where made_at <= ?", now - ANSWER_RETENTION_MS);

/** Handles an API call in one transaction; a repeated idempotency key gets the first response. */
export function answer(world: World, request: Request): Answer {
  return world.store.transact(() => {
    // Apply everything that is due by now, even if the timers are late.
    advance(world);
    const { key, fingerprint } = request;
    if (key === null) return perform(world, request);
    const [known] = world.store.all<Answer & { fingerprint: string }>(
      "select status, body, fingerprint from answers where idempotency_key = ? and made_at > ?",
      key,
      world.clock.now() - ANSWER_RETENTION_MS,
    );
    if (known !== undefined && known.fingerprint === fingerprint) return { status: known.status, body: known.body };
    if (known !== undefined) {
      const type = "idempotency_error";
      const text = "Keys for idempotent requests can only be used with the same parameters they were first used with.";
      return refusal(new ApiError(400, text, { type }));
    }
    const given = perform(world, request);
    // A rejected input had no effect, so its key stays usable.
    if (given.status < 400 || given.status === 402 || given.status >= 500) {
      world.store.run(
        "insert or replace into answers (idempotency_key, fingerprint, status, body, made_at) values (?, ?, ?, ?, ?)",
        key,
        fingerprint,
        given.status,
        given.body,
        world.clock.now(),
      );
    }
    return given;
  });
}

const broken = () => new ApiError(500, "An unknown error occurred", { type: "api_error" });
const refusal = ({ status, body }: ApiError): Answer => ({ status, body: JSON.stringify(body) });

function perform(world: World, { method, path, form }: Request): Answer {
  try {
    for (const endpoint of endpoints) {
      const match = endpoint.method === method ? endpoint.path.exec(path) : null;
      if (match === null) continue;
      const result = endpoint.answer(world, decodeURIComponent(match[1] ?? ""), form);
      const wanted = typeof form["expand"] === "object" ? Object.values(form["expand"]) : [];
      for (const place of wanted) if (typeof place === "string") expandAt(world, result, place.split("."));
      return { status: 200, body: JSON.stringify(result) };
    }
    throw new ApiError(404, `Unrecognized request URL (${method}: ${path}).`);
  } catch (error) {
    if (error instanceof ApiError) return refusal(error);
    throw error;
  }
}

/** Replaces an id with its object (docs.stripe.com/expand). */
function expandAt(world: World, place: unknown, [name, ...rest]: string[]): void {
  if (name === undefined || typeof place !== "object" || place === null) return;
  const holder = place as Record<string, unknown>;
  const value = holder[name];
  if (typeof value === "string") holder[name] = world.store.find(value) ?? value;
  for (const inner of Array.isArray(value) ? value : [holder[name]]) expandAt(world, inner, rest);
}

/**
 * Serves the provider's API over HTTP on loopback. Uses its previous port if that is free, so that other processes find it again. `onWrite`
 * is called after each call that may have written.
 */
export async function listen(
  world: World,
  onWrite: () => void,
): Promise<{ host: string; port: number; close(): Promise<void> }> {
  const host = "127.0.0.1";
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const { status, body } = await read(request)
      .then((call) => answer(world, call))
      .catch((error: unknown) => refusal(error instanceof ApiError ? error : broken()));
    response.writeHead(status, { "content-type": "application/json", "request-id": newId("req", 14) });
    response.end(body);
    onWrite();
  };
  const server = http.createServer((request, response) => void serve(request, response));
  const open = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => {
        server.off("error", reject);
        resolve();
      });
    });
  const [last] = world.store.all<{ port: number }>("select port from listener");
  await open(last?.port ?? 0).catch(() => open(0));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  world.store.run("insert or replace into listener (id, port) values (1, ?)", port);
  return {
    host,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: http.IncomingMessage): Promise<Request> {
  if (request.headers.authorization?.startsWith("Bearer sk_test_") !== true)
    throw new ApiError(401, "You did not provide an API key of the simulated provider.");
  const url = new URL(request.url ?? "/", "http://provider");
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST_BODY) throw new ApiError(413, "The request is too long.");
    chunks.push(chunk);
  }
  const method = request.method ?? "GET";
  const text = method === "POST" ? Buffer.concat(chunks).toString() : url.searchParams.toString();
  const key = request.headers["idempotency-key"];
  return {
    method,
    path: url.pathname,
    form: parseForm(text),
    key: method === "POST" && typeof key === "string" ? key : null,
    fingerprint: createHash("sha256").update(`${method} ${url.pathname}\n${text}`).digest("hex"),
  };
}
