import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

/** What a receiver got: `body` verified by its signature when the receiver has the secret. */
export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
  at: number;
  /** the status that it was answered with; null without a response */
  status: number | null;
};
/** How a receiver answers: an HTTP status, 204 after a while, or never. */
export type Behaviour = number | "hangs" | { afterMs: number };

/** A receiver of webhooks on a local port. It answers 204 unless told otherwise. */
export async function openReceiver() {
  const received: Received[] = [];
  const behaviours = new Map<string, (one: Received) => Behaviour>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const text = Buffer.concat(pieces).toString();
      const path = request.url ?? "/";
      const one: Received = {
        path,
        headers: request.headers,
        text,
        body: JSON.parse(text) as Received["body"],
        at: Date.now(),
        status: null,
      };
      received.push(one);
      const behaviour = behaviours.get(path)?.(one) ?? 204;
      if (behaviour === "hangs") return;
      const answer = (status: number) => {
        one.status = status;
        response.writeHead(status, status >= 300 && status < 400 ? { location: "/elsewhere" } : {}).end();
      };
      if (typeof behaviour === "number") answer(behaviour);
      else setTimeout(() => answer(204), behaviour.afterMs);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    received,
    urlOf: (path: string) => `http://127.0.0.1:${port}${path}`,
    at: (path: string) => received.filter((one) => one.path === path),
    typesAt: (path: string) => received.filter((one) => one.path === path).map(({ body }) => body.type),
    answer: (path: string, behaviour: Behaviour | ((one: Received) => Behaviour)) =>
      behaviours.set(path, typeof behaviour === "function" ? behaviour : () => behaviour),
    /** From now on every address answers 204. */
    heal: () => behaviours.clear(),
    /** The requests answered with success, in order of arrival. */
    taken: () => received.filter(({ status }) => status === 204),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** Throws unless the signature is the secret's. */
export const verify = (secret: string, { text, headers }: Received): unknown =>
  new Webhook(secret).verify(text, headers as Record<string, string>);
